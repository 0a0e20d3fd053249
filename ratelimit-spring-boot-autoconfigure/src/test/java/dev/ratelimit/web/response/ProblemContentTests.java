package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Problem;
import dev.ratelimit.Rejection.Content;
import dev.ratelimit.web.FakeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemContentTests {

	private final Problem problem = new Problem(Problem.Type.QUOTA_EXCEEDED, "<Enough> & 100 %s", 429, "\"Later\" é",
			"/<script>", List.of("a"));

	@ParameterizedTest
	@ValueSource(strings = { "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
			"text/html", "text/html, application/json;q=0.9", "text/*;q=0.1, text/html",
			"application/json;q=0, text/html;q=0.1", "text/html;charset=utf-8",
			"text/html;q=0.5, application/*;q=0.4, */*;q=0.9" })
	void clientThatPrefersHtmlGetsAPage(String accept) {
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of(accept))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "*/*", "text/*", "application/json", "text/html, */*", "text/html, application/json",
			"text/html;q=0.8, application/problem+json", "text/html;q=0.5, application/*", "text/html;q=0",
			"text/html;q=nonsense", "text/html, nonsense", "text/html-not",
			"text/html;q=0.3, application/*+json;q=0.7" })
	void problemIsForAllOthers(String accept) {
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of(accept))).isFalse();
	}

	@Test
	void linesOfAcceptAreOneListAndAreBounded() {
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of("application/json", "text/html;q=0.9")))
			.isFalse();
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of("application/json;q=0.1", "text/html")))
			.isTrue();
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of("text/html," + "a/b,".repeat(400)))).isFalse();
		assertThat(RejectionFactory.ProblemContent.prefersPage(List.of())).isFalse();
	}

	@Test
	void anyDetailAndPathAreReadBackFromJson() {
		for (char character = 0; character < 1_000; character++) {
			String detail = "Wait " + character;
			String path = character + "/a";
			Problem written = new Problem(Problem.Type.QUOTA_EXCEEDED, "\"detail\":\"\"" + character % 3, 429, detail,
					path, List.of("a", "b"));
			Content json = RejectionFactory.ProblemContent.of(written, FakeRequest.get("/"));
			Map<String, Object> read = JsonParserFactory.getJsonParser()
				.parseMap(new String(json.bytes(), StandardCharsets.UTF_8));
			assertThat(read).containsExactly(
					Map.entry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded"),
					Map.entry("title", written.title()), Map.entry("status", 429), Map.entry("detail", detail),
					Map.entry("instance", path), Map.entry("violated-policies", List.of("a", "b")));
		}
	}

	@Test
	void nothingBreaksOutOfThePageAndNothingOfTheRequestIsInIt() {
		Content page = RejectionFactory.ProblemContent.of(this.problem,
				FakeRequest.get("/").header("Accept", "text/html"));
		assertThat(page.type()).isEqualTo("text/html;charset=UTF-8");
		assertThat(new String(page.bytes(), StandardCharsets.UTF_8))
			.contains("<title>&lt;Enough&gt; &amp; 100 %s</title>", "<h1>&lt;Enough&gt; &amp; 100 %s</h1>",
					"<p>&quot;Later&quot; é</p>")
			.doesNotContain("script", "src", "href");
	}

	@Test
	void problemWithoutTypeHasNone() {
		Content json = RejectionFactory.ProblemContent
			.of(new Problem(Problem.Type.KEY_MISSING, "Forbidden", 403, "?", "/", List.of()), FakeRequest.get("/"));
		assertThat(new String(json.bytes(), StandardCharsets.UTF_8)).doesNotContain("\"type\"");
	}

}
