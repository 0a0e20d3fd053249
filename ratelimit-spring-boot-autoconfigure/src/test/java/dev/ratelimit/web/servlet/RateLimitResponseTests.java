package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.memory.MemoryLimitStore;
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
		assertThat(tell(List.of(), OnSuccess.ALWAYS)).isSameAs(this.response);
	}

	@Test
	void allWaysToRedirectTellNothing() throws IOException {
		for (Redirect redirect : List.<Redirect>of((told) -> told.sendRedirect("/x"),
				(told) -> told.sendRedirect("/x", 303), (told) -> told.sendRedirect("/x", false),
				(told) -> told.sendRedirect("/x", 307, true), (told) -> told.setStatus(302),
				(told) -> told.sendError(304), (told) -> told.sendError(304, "as it was"))) {
			MockHttpServletResponse plain = new MockHttpServletResponse();
			MockHttpServletRequest another = new MockHttpServletRequest();
			redirect.send(ServletProgress.of(another).writeHeaders(OURS, disclosure(OnSuccess.ALWAYS), another, plain));
			assertThat(plain.getHeaderNames()).noneMatch((name) -> name.contains("RateLimit"));
		}
	}

	@Test
	void aStatusThatIsTakenBackTellsAgain() {
		HttpServletResponse told = tell(OURS, OnSuccess.ALWAYS);
		told.setStatus(302);
		told.setStatus(200);
		assertTold();
	}

	@Test
	void resetForgetsWhatOthersSaidAndNotWhatTheLimiterSays() {
		HttpServletResponse told = tell(OURS, OnSuccess.ALWAYS);
		told.addIntHeader("X-RateLimit-Remaining", 1);
		assertThat(this.response.getHeader("X-RateLimit-Remaining")).isEqualTo("1");
		told.reset();
		assertTold();
	}

	@Test
	void whatOthersSaidBeforeCountsToo() {
		this.response.addHeader("RateLimit", "\"outer\";r=2");
		this.response.addHeader("RateLimit", "\"other\";r=3");
		this.response.setIntHeader("X-RateLimit-Remaining", 2);
		tell(OURS, OnSuccess.ALWAYS);
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"outer\";r=2, \"other\";r=3, \"a\";r=5");
		assertThat(this.response.getHeader("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(this.response.getHeader("X-RateLimit-Limit")).isNull();
	}

	@Test
	void fieldsOfOthersThatAreTakenBackGiveWay() {
		HttpServletResponse told = tell(OURS, OnSuccess.ALWAYS);
		told.setIntHeader("X-RateLimit-Remaining", 1);
		told.addHeader("RateLimit", "\"b\";r=1");
		told.setHeader("X-RateLimit-Remaining", null);
		told.setHeader("RateLimit", null);
		assertTold();
	}

	@Test
	void aLaterPhaseReplacesWhatAnEarlierOneTold() {
		HttpServletResponse told = tell(OURS, OnSuccess.ALWAYS);
		assertThat(tell(List.of(new HeaderField("RateLimit", "\"b\";r=1")), OnSuccess.ALWAYS, told)).isSameAs(told);
		assertThat(this.response.getHeaderNames()).containsExactly("RateLimit");
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"b\";r=1");
	}

	@Test
	void whatOthersSayOfARefusalIsLeftToThem() {
		HttpServletResponse told = tell(OURS, OnSuccess.ALWAYS);
		tell(List.of(), OnSuccess.ALWAYS, told);
		assertThat(this.response.getHeaderNames()).isEmpty();
		told.setHeader("RateLimit", "\"refused\";r=0");
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"refused\";r=0");
	}

	@Test
	void tellsOnceTheResponseIsSaidToBePrivate() {
		HttpServletResponse told = tell(OURS, OnSuccess.WHEN_PRIVATE);
		assertThat(this.response.getHeaderNames()).isEmpty();
		told.setHeader("cache-control", "max-age=60, private");
		assertTold();
		told.setHeader("Cache-Control", "public");
		assertThat(this.response.getHeaderNames()).containsExactly("cache-control");
		told.addHeader("Cache-Control", "no-store");
		assertTold();
	}

	private void assertTold() {
		for (HeaderField field : OURS) {
			assertThat(this.response.getHeaders(field.name())).containsExactly(field.value());
		}
	}

	private HttpServletResponse tell(List<HeaderField> fields, OnSuccess onSuccess) {
		return tell(fields, onSuccess, this.response);
	}

	private HttpServletResponse tell(List<HeaderField> fields, OnSuccess onSuccess, HttpServletResponse current) {
		return ServletProgress.of(this.request).writeHeaders(fields, disclosure(onSuccess), this.request, current);
	}

	private static HeaderVisibility disclosure(OnSuccess onSuccess) {
		HeaderSettings settings = new HeaderSettings(HeaderSettings.Format.BOTH, HeaderNames.DEFAULT, onSuccess, false,
				HeaderSettings.Reset.EPOCH, false);
		RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(1, () -> 0), Duration.ofSeconds(1), "secret",
				IdempotencySettings.DEFAULT, List.of());
		return new HeaderFactory(InstantSource.system(), settings, Jitter.NONE).disclosure();
	}

	private interface Redirect {

		void send(HttpServletResponse response) throws IOException;

	}

}
