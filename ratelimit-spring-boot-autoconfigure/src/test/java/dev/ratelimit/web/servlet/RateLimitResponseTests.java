package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderNames;
import dev.ratelimit.web.response.HeaderSettings;
import dev.ratelimit.web.response.HeaderSettings.OnSuccess;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.Jitter;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitResponseTests {

	private static final List<HeaderField> OURS = List.of(new HeaderField("RateLimit-Policy", "\"a\";q=9"),
			new HeaderField("RateLimit", "\"a\";r=5"), new HeaderField("X-RateLimit-Limit", "9"),
			new HeaderField("X-RateLimit-Remaining", "5"), new HeaderField("X-RateLimit-Reset", "1795255001"));

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	@Test
	void isNotThereWhereThereIsNothingToTell() {
		assertThat(write(List.of(), OnSuccess.ALWAYS)).isSameAs(this.response);
	}

	@Test
	void allWaysToRedirectTellNothing() throws IOException {
		for (Redirect redirect : List.<Redirect>of((limited) -> limited.sendRedirect("/x"),
				(limited) -> limited.sendRedirect("/x", 303), (limited) -> limited.sendRedirect("/x", false),
				(limited) -> limited.sendRedirect("/x", 307, true), (limited) -> limited.setStatus(302),
				(limited) -> limited.sendError(304), (limited) -> limited.sendError(304, "as it was"))) {
			MockHttpServletResponse plain = new MockHttpServletResponse();
			MockHttpServletRequest another = new MockHttpServletRequest();
			redirect.send(ServletProgress.of(another).writeHeaders(OURS, visibility(OnSuccess.ALWAYS), another, plain));
			assertThat(plain.getHeaderNames()).noneMatch((name) -> name.contains("RateLimit"));
		}
	}

	@Test
	void aStatusThatIsTakenBackTellsAgain() {
		HttpServletResponse limited = write(OURS, OnSuccess.ALWAYS);
		limited.setStatus(302);
		limited.setStatus(200);
		assertWritten();
	}

	@Test
	void resetForgetsWhatOthersSaidAndNotWhatTheLimiterSays() {
		HttpServletResponse limited = write(OURS, OnSuccess.ALWAYS);
		limited.addIntHeader("X-RateLimit-Remaining", 1);
		assertThat(this.response.getHeader("X-RateLimit-Remaining")).isEqualTo("1");
		limited.reset();
		assertWritten();
	}

	@Test
	void earlierHeadersOfOthersAreMerged() {
		this.response.addHeader("RateLimit", "\"outer\";r=2");
		this.response.addHeader("RateLimit", "\"other\";r=3");
		this.response.setIntHeader("X-RateLimit-Remaining", 2);
		write(OURS, OnSuccess.ALWAYS);
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"outer\";r=2, \"other\";r=3, \"a\";r=5");
		assertThat(this.response.getHeader("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(this.response.getHeader("X-RateLimit-Limit")).isNull();
	}

	@Test
	void fieldsOfOthersThatAreTakenBackGiveWay() {
		HttpServletResponse limited = write(OURS, OnSuccess.ALWAYS);
		limited.setIntHeader("X-RateLimit-Remaining", 1);
		limited.addHeader("RateLimit", "\"b\";r=1");
		limited.setHeader("X-RateLimit-Remaining", null);
		limited.setHeader("RateLimit", null);
		assertWritten();
	}

	@Test
	void aLaterPhaseReplacesWhatAnEarlierOneTold() {
		HttpServletResponse limited = write(OURS, OnSuccess.ALWAYS);
		assertThat(write(List.of(new HeaderField("RateLimit", "\"b\";r=1")), OnSuccess.ALWAYS, limited))
			.isSameAs(limited);
		assertThat(this.response.getHeaderNames()).containsExactly("RateLimit");
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"b\";r=1");
	}

	@Test
	void foreignFieldsOfRejectionStay() {
		HttpServletResponse limited = write(OURS, OnSuccess.ALWAYS);
		write(List.of(), OnSuccess.ALWAYS, limited);
		assertThat(this.response.getHeaderNames()).isEmpty();
		limited.setHeader("RateLimit", "\"refused\";r=0");
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"refused\";r=0");
	}

	@Test
	void tellsOnceTheResponseIsSaidToBePrivate() {
		HttpServletResponse limited = write(OURS, OnSuccess.WHEN_PRIVATE);
		assertThat(this.response.getHeaderNames()).isEmpty();
		limited.setHeader("cache-control", "max-age=60, private");
		assertWritten();
		limited.setHeader("Cache-Control", "public");
		assertThat(this.response.getHeaderNames()).containsExactly("cache-control");
		limited.addHeader("Cache-Control", "no-store");
		assertWritten();
	}

	private void assertWritten() {
		for (HeaderField field : OURS) {
			assertThat(this.response.getHeaders(field.name())).containsExactly(field.value());
		}
	}

	private HttpServletResponse write(List<HeaderField> fields, OnSuccess onSuccess) {
		return write(fields, onSuccess, this.response);
	}

	private HttpServletResponse write(List<HeaderField> fields, OnSuccess onSuccess, HttpServletResponse current) {
		return ServletProgress.of(this.request).writeHeaders(fields, visibility(onSuccess), this.request, current);
	}

	private static HeaderVisibility visibility(OnSuccess onSuccess) {
		HeaderSettings settings = new HeaderSettings(HeaderSettings.Format.BOTH, HeaderNames.DEFAULT, onSuccess, false,
				HeaderSettings.Reset.EPOCH, false, false);
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(1, () -> 0));
		return new HeaderFactory(InstantSource.system(), settings, Jitter.NONE).visibility();
	}

	private interface Redirect {

		void send(HttpServletResponse response) throws IOException;

	}

}
