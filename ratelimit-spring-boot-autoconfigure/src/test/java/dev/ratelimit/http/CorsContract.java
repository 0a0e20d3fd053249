package dev.ratelimit.http;

import java.util.List;

import dev.ratelimit.ExposedHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a rejection has the CORS fields of the response that the application would
 * have sent, regardless of the location of its CORS configuration.
 */
interface CorsContract {

	String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

	String CREDENTIALS = "Access-Control-Allow-Credentials";

	String EXPOSE = "Access-Control-Expose-Headers";

	HttpProbe http();

	String path(String path);

	/** Send an allowed request without an origin, and then a rejected one. */
	Reply rejected(String path, String... headers);

	@ParameterizedTest
	@ValueSource(strings = { "annotated", "late", "credentials", "global", "source", "chain", "filter", "first" })
	default void rejectionsAreForOriginsThatMayReadAdmissions(String where) {
		Reply allowed = http().get(path("/cors/" + where), "Origin", RejectionApplication.ALLOWED);
		Reply rejected = http().get(path("/cors/" + where), "Origin", RejectionApplication.ALLOWED);
		assertThat(allowed.statusCode()).isEqualTo(200);
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers().get(ALLOW_ORIGIN)).containsExactly(RejectionApplication.ALLOWED)
			.isEqualTo(allowed.headers().get(ALLOW_ORIGIN));
		assertThat(rejected.header(CREDENTIALS)).isEqualTo(allowed.header(CREDENTIALS));
		assertThat(names(rejected.header("Vary"))).doesNotHaveDuplicates()
			.contains("Origin")
			.containsExactlyInAnyOrderElementsOf(names(allowed.header("Vary")));
		assertThat(names(rejected.header(EXPOSE))).doesNotHaveDuplicates()
			.containsAll(names(allowed.header(EXPOSE)))
			.containsAll(ExposedHeaders.NAMES);
		assertThat(rejected.body()).contains("#quota-exceeded");
	}

	@ParameterizedTest
	@ValueSource(strings = { "annotated", "late", "credentials", "global", "source", "chain", "filter", "none" })
	default void rejectionsAreNotForOtherOrigins(String where) {
		Reply rejected = rejected("/cors/" + where, "Origin", "https://evil.example.org");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKeys(ALLOW_ORIGIN, CREDENTIALS, EXPOSE);
		assertThat(rejected.body()).contains("#quota-exceeded");
		assertThat(rejected.header("Retry-After")).isNotEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://app.example.org:x", "null", "http://", "%", "https://app.example.org/../" })
	default void originsOfAnyMakeAreRejectedAlike(String origin) {
		Reply rejected = rejected("/cors/annotated", "Origin", origin);
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE);
		assertThat(rejected.body()).contains("#quota-exceeded");
	}

	@Test
	default void methodsThatAreNotAllowedGetNoCorsFields() {
		Reply rejected = http().send("POST", path("/cors/source"), "Origin", RejectionApplication.ALLOWED);
		assertThat(rejected.statusCode()).isEqualTo(403);
		rejected = http().send("POST", path("/cors/source"), "Origin", RejectionApplication.ALLOWED);
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKey(ALLOW_ORIGIN);
	}

	@Test
	default void originRejectedByFilterGetsNoCorsFields() {
		assertThat(http().get(path("/cors/contradictory"), "Origin", RejectionApplication.ALLOWED).statusCode())
			.isEqualTo(403);
		Reply rejected = http().get(path("/cors/contradictory"), "Origin", RejectionApplication.ALLOWED);
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE);
	}

	@Test
	default void requestsOfTheSameOriginNeedNoCors() {
		assertThat(rejected("/cors/annotated").headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE, "Vary");
		assertThat(again("/cors/annotated", "Origin", "http://localhost").headers()).doesNotContainKeys(ALLOW_ORIGIN,
				EXPOSE);
	}

	@Test
	default void requestsWithoutAHandlerAreRejectedAllTheSame() {
		assertThat(http().get(path("/cors/nowhere"), "Origin", RejectionApplication.ALLOWED).statusCode())
			.isEqualTo(404);
		Reply rejected = http().get(path("/cors/nowhere"), "Origin", RejectionApplication.ALLOWED);
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKey(ALLOW_ORIGIN);
	}

	@Test
	default void preflightsAreAnsweredByTheApplicationHoweverMany() {
		rejected("/cors/source");
		for (int i = 0; i < 3; i++) {
			Reply preflight = http().send("OPTIONS", path("/cors/source"), "Origin", RejectionApplication.ALLOWED,
					"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "X-Own");
			assertThat(preflight.statusCode()).isEqualTo(200);
			assertThat(preflight.header(ALLOW_ORIGIN)).isEqualTo(RejectionApplication.ALLOWED);
		}
	}

	private Reply again(String path, String... headers) {
		return http().get(path(path), headers);
	}

	private static List<String> names(String header) {
		return (header.isEmpty()) ? List.of() : List.of(header.split(", *"));
	}

}
