package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

@SpringBootTest
@AutoConfigureMockMvc
class NotesApplicationTests {

	@Autowired
	private MockMvcTester http;

	@Test
	void aNoteIsOnThePage() {
		assertThat(this.http.post().uri("/").param("text", "buy milk").with(user("bob")).with(csrf()))
			.hasStatus3xxRedirection();
		assertThat(this.http.get().uri("/").with(user("bob"))).hasStatusOk().bodyText().contains("<li>buy milk</li>");
		assertThat(this.http.get().uri("/").with(user("cid"))).hasStatusOk().bodyText().doesNotContain("buy milk");
	}

	@Test
	void strangersSeeNothing() {
		assertThat(this.http.get().uri("/")).hasStatus(401);
		assertThat(this.http.get().uri("/api/notes")).hasStatus(401);
	}

	@Test
	void aFormWithoutItsTokenIsRejected() {
		assertThat(this.http.post().uri("/").param("text", "x").with(user("bob"))).hasStatus(403);
	}

	@Test
	void notesAreListed() {
		assertThat(this.http.get().uri("/api/notes").with(user("dan"))).hasStatusOk().bodyText().isEqualTo("[]");
	}

}
