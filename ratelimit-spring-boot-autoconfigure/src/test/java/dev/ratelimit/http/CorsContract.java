package dev.ratelimit.http;

import java.util.List;

import dev.ratelimit.ExposedHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rejection has the CORS fields of the response that the application would have sent,
 * wherever its CORS configuration is.
 */
interface CorsContract {

	String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

	String CREDENTIALS = "Access-Control-Allow-Credentials";

	String EXPOSE = "Access-Control-Expose-Headers";

	HttpProbe http();

	String path(String path);

	/** Allowed without an origin, then rejected. */
	Reply refused(String path, String... headers);

	@ParameterizedTest
	@ValueSource(strings = { "annotated", "late", "credentials", "global", "source", "chain", "filter", "first" })
	default void refusalsAreForOriginsThatMayReadAdmissions(String where) {
		Reply admitted = http().get(path("/cors/" + where), "Origin", RejectionApplication.ALLOWED);
		Reply refused = http().get(path("/cors/" + where), "Origin", RejectionApplication.ALLOWED);
		assertThat(admitted.statusCode()).isEqualTo(200);
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().get(ALLOW_ORIGIN)).containsExactly(RejectionApplication.ALLOWED)
			.isEqualTo(admitted.headers().get(ALLOW_ORIGIN));
		assertThat(refused.header(CREDENTIALS)).isEqualTo(admitted.header(CREDENTIALS));
		assertThat(names(refused.header("Vary"))).doesNotHaveDuplicates()
			.contains("Origin")
			.containsExactlyInAnyOrderElementsOf(names(admitted.header("Vary")));
		assertThat(names(refused.header(EXPOSE))).doesNotHaveDuplicates()
			.containsAll(names(admitted.header(EXPOSE)))
			.containsAll(ExposedHeaders.NAMES);
		assertThat(refused.body()).contains("#quota-exceeded");
	}

	@ParameterizedTest
	@ValueSource(strings = { "annotated", "late", "credentials", "global", "source", "chain", "filter", "none" })
	default void refusalsAreNotForOtherOrigins(String where) {
		Reply refused = refused("/cors/" + where, "Origin", "https://evil.example.org");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers()).doesNotContainKeys(ALLOW_ORIGIN, CREDENTIALS, EXPOSE);
		assertThat(refused.body()).contains("#quota-exceeded");
		assertThat(refused.header("Retry-After")).isNotEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://app.example.org:x", "null", "http://", "%", "https://app.example.org/../" })
	default void originsOfAnyMakeAreRefusedAlike(String origin) {
		Reply refused = refused("/cors/annotated", "Origin", origin);
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE);
		assertThat(refused.body()).contains("#quota-exceeded");
	}

	@Test
	default void methodsThatAreNotAllowedGetNoCorsFields() {
		Reply refused = http().send("POST", path("/cors/source"), "Origin", RejectionApplication.ALLOWED);
		assertThat(refused.statusCode()).isEqualTo(403);
		refused = http().send("POST", path("/cors/source"), "Origin", RejectionApplication.ALLOWED);
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers()).doesNotContainKey(ALLOW_ORIGIN);
	}

	@Test
	default void whatAFilterRejectsNoHandlerAllows() {
		assertThat(http().get(path("/cors/contradictory"), "Origin", RejectionApplication.ALLOWED).statusCode())
			.isEqualTo(403);
		Reply refused = http().get(path("/cors/contradictory"), "Origin", RejectionApplication.ALLOWED);
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE);
	}

	@Test
	default void requestsOfTheSameOriginNeedNoCors() {
		assertThat(refused("/cors/annotated").headers()).doesNotContainKeys(ALLOW_ORIGIN, EXPOSE, "Vary");
		assertThat(again("/cors/annotated", "Origin", "http://localhost").headers()).doesNotContainKeys(ALLOW_ORIGIN,
				EXPOSE);
	}

	@Test
	default void requestsWithoutAHandlerAreRefusedAllTheSame() {
		assertThat(http().get(path("/cors/nowhere"), "Origin", RejectionApplication.ALLOWED).statusCode())
			.isEqualTo(404);
		Reply refused = http().get(path("/cors/nowhere"), "Origin", RejectionApplication.ALLOWED);
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers()).doesNotContainKey(ALLOW_ORIGIN);
	}

	@Test
	default void preflightsAreAnsweredByTheApplicationHoweverMany() {
		refused("/cors/source");
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
