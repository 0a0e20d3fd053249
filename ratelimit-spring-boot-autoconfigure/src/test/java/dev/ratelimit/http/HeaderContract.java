package dev.ratelimit.http;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the rate limit fields of responses for which the application sets fields.
 */
interface HeaderContract {

	HttpProbe http();

	String key();

	private Reply get(String path) {
		return http().get(path, "X-Key", key());
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 304, 307, 308 })
	default void aRedirectTellsNothingThatCouldBeTakenForAWait(int status) {
		Reply reply = get("/told/status/" + status);
		assertThat(reply.statusCode()).isEqualTo(status);
		assertThat(reply.headers().keySet()).noneMatch((name) -> name.toLowerCase().contains("ratelimit"));
	}

	@Test
	default void headersOfApplicationRedirectAreKept() {
		assertThat(get("/told/redirected").header("RateLimit")).isEqualTo("\"own\";r=1");
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 204, 404, 500 })
	default void otherResponsesTell(int status) {
		Reply reply = get("/told/status/" + status);
		assertThat(reply.statusCode()).isEqualTo(status);
		assertThat(reply.header("RateLimit")).startsWith("\"told\";r=4;t=");
		assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo("4");
	}

	@Test
	default void aStreamTellsBeforeItBegins() {
		Reply reply = get("/told/stream");
		assertThat(reply.body()).contains("one", "two");
		assertThat(reply.header("RateLimit-Policy")).isEqualTo("\"told\";q=5;w=86400");
		assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("5");
	}

	@Test
	default void stricterUpstreamHeadersAreKept() {
		Reply reply = get("/told/upstream?remaining=3");
		assertThat(reply.header("RateLimit-Policy")).isEqualTo("\"upstream\";q=9;w=60, \"told\";q=5;w=86400");
		assertThat(reply.header("RateLimit")).startsWith("\"upstream\";r=3, \"told\";r=4;t=");
		assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("9");
		assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo("3");
		assertThat(reply.header("X-RateLimit-Reset")).isEqualTo("1");
	}

	@Test
	default void stricterOwnFieldReplacesUpstreamField() {
		Reply reply = get("/told/upstream?remaining=8");
		assertThat(reply.header("RateLimit")).startsWith("\"upstream\";r=8, \"told\";r=4;t=");
		assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("5");
		assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(reply.header("X-RateLimit-Reset")).hasSize(10);
	}

	@Test
	default void aLateRejectionTellsOnlyOfItselfWhatAnEarlyPhaseHasTold() {
		Reply allowed = get("/told/closed");
		assertThat(allowed.header("RateLimit-Policy")).isEqualTo("\"told\";q=5;w=86400, \"told-late\";q=1;w=86400");
		assertThat(allowed.header("RateLimit")).startsWith("\"told-late\";r=0;t=").contains("\"told\";r=4;t=");
		assertThat(allowed.header("X-RateLimit-Limit")).isEqualTo("1");
		Reply rejected = get("/told/closed");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.header("RateLimit")).isEqualTo("\"told-late\";r=0;t=" + rejected.header("Retry-After"));
		assertThat(rejected.headers().get("X-RateLimit-Remaining")).containsExactly("0");
	}

}
