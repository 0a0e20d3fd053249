package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.ratelimit.RateLimitExceededException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the effect of annotations on handlers and the methods they call, on both stacks.
 */
@SpringBootTest(classes = { AnnotationApplication.class, AnnotationApplication.Handling.class },
		webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.config.name=annotations")
abstract class AnnotationContract {

	@LocalServerPort
	private int port;

	@Autowired
	private AnnotationApplication.Advised advised;

	/** A key that no other client uses. */
	private String key = "";

	@BeforeEach
	void begin() {
		this.key = UUID.randomUUID().toString();
	}

	private Reply send(String method, String path, String... headers) {
		List<String> all = new ArrayList<>(List.of("X-Key", this.key));
		all.addAll(List.of(headers));
		return new HttpProbe(this.port).send(method, path, all.toArray(String[]::new));
	}

	private List<Integer> statuses(int times, String path, String... headers) {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < times; i++) {
			statuses.add(send("GET", path, headers).statusCode());
		}
		return statuses;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/exempt", "/a/users/me", "/a/ex%65mpt" })
	void anExemptHandlerIsChargedByNoRuleInNoPhase(String path) {
		assertThat(statuses(6, path)).containsOnly(200);
		assertThat(send("GET", path).headers()).doesNotContainKey("RateLimit-Policy");
		assertThat(send("GET", "/a/limited").header("RateLimit")).contains("\"exempting\";r=1", "\"early\";r=3",
				"\"late\";r=4");
	}

	@Test
	void anExemptionIsForItsHandlerAlone() {
		assertThat(statuses(3, "/a/limited")).containsExactly(200, 200, 429);
		assertThat(statuses(2, "/a/users/7")).containsOnly(429);
		assertThat(send("POST", "/a/exempt").statusCode()).isEqualTo(429);
		assertThat(send("DELETE", "/a/exempt").header("RateLimit-Policy")).contains("early", "late");
		assertThat(statuses(1, "/a/exempt")).containsOnly(200);
	}

	@Test
	void anExemptionThatNamesRulesIsFromTheseAlone() {
		assertThat(send("GET", "/a/narrow/limited").header("RateLimit-Policy")).contains("narrow");
		assertThat(statuses(1, "/a/narrow/limited")).containsOnly(429);
		Reply exempt = send("GET", "/a/narrow/exempt");
		assertThat(exempt.header("RateLimit-Policy")).contains("early", "exempting", "late").doesNotContain("narrow");
		assertThat(statuses(1, "/a/narrow/exempt")).containsOnly(429);
	}

	@Test
	void requestServedByAnotherMappingIsNotCharged() {
		for (int i = 0; i < 3; i++) {
			assertThat(send("GET", "/b/routed").body()).isEqualTo("router");
			assertThat(send("GET", "/b/simple").body()).isEqualTo("simple");
			assertThat(send("GET", "/b/maybe?routed").body()).isEqualTo("router");
		}
		assertThat(send("GET", "/b/routed").headers()).doesNotContainKey("RateLimit-Policy");
		assertThat(send("GET", "/b/maybe").body()).isEqualTo("handler maybe");
		assertThat(statuses(1, "/b/maybe")).containsOnly(429);
		assertThat(statuses(1, "/b/else")).containsOnly(429);
		assertThat(statuses(1, "/b/routed")).containsOnly(200);
	}

	@Test
	void routerFunctionsAreLimitedByTheirPaths() {
		assertThat(statuses(3, "/f/yaml")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@CsvSource({ "/c/version, X-Version, 1.0, 2.0", "/c/version, X-Version, 1.0, 3.0",
			"/c/produces, Accept, application/json, text/plain", "/c/header, X-Kind, a, b" })
	void handlersThatConditionsTellApartKeepTheirOwnRules(String path, String header, String first, String second) {
		assertThat(statuses(2, path, header, first)).containsExactly(200, 429);
		assertThat(statuses(3, path, header, second)).containsExactly(200, 200, 429);
	}

	@Test
	void contentTypeSelectsTheHandlerAndItsRule() {
		List<Integer> statuses = new ArrayList<>();
		for (String type : List.of("application/json", "application/json", "text/plain", "text/plain", "text/plain")) {
			statuses.add(send("POST", "/c/consumes", "Content-Type", type).statusCode());
		}
		assertThat(statuses).containsExactly(200, 429, 200, 200, 429);
		assertThat(send("POST", "/c/consumes", "Content-Type", "image/png").statusCode()).isEqualTo(415);
	}

	@ParameterizedTest
	@CsvSource({ "/d/inherited/1, own, 2", "/d/default, default, 2", "/d/advised, handler, 2",
			"/d/interface, interface, 2" })
	void inheritedAndProxiedHandlersAreChargedOnce(String path, String body, int limit) {
		Reply first = send("GET", path);
		assertThat(first.body()).isEqualTo(body);
		assertThat(first.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(limit - 1));
		assertThat(statuses(limit - 1, path)).containsOnly(200);
		assertThat(statuses(1, path)).containsOnly(429);
	}

	@Test
	void otherMethodsOfAControllerAreLimitedByCalls() {
		this.advised.plain();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(this.advised::plain);
		for (int i = 0; i < 5; i++) {
			this.advised.handler();
		}
	}

	@ParameterizedTest
	@CsvSource({ "/e/value, quotes-value, value", "/e/mono, quotes-mono, mono", "/e/flux, quotes-flux, flux",
			"/e/future, quotes-future, future", "/f/quote, quotes-routed, routed" })
	void aRejectedCallBelowAHandlerRejectsTheRequest(String path, String rule, String body) {
		assertThat(send("GET", path).body()).isEqualTo(body);
		Reply rejected = send("GET", path);
		String wait = rejected.header("Retry-After");
		assertThat(rejected.statusCode()).isEqualTo(420);
		assertThat(Long.parseLong(wait)).isBetween(86_000L, 86_400L);
		assertThat(rejected.header("RateLimit")).isEqualTo("\"" + rule + "\";r=0;t=" + wait);
		assertThat(rejected.header("Cache-Control")).isEqualTo("no-store");
		assertThat(rejected.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(rejected.body()).contains("\"status\":420", "Retry in " + wait + " seconds.",
				"\"instance\":\"" + path + "\"", "\"violated-policies\":[\"" + rule + "\"]");
	}

	@Test
	void aRejectedCallIsRefundedByTheStatusOfItsRejection() {
		assertThat(statuses(1, "/e/refunded")).containsExactly(200);
		for (int i = 0; i < 4; i++) {
			Awaitility.await().untilAsserted(() -> assertThat(statuses(1, "/e/refunded")).containsExactly(420));
		}
	}

	@Test
	void theApplicationMayHandleTheExceptionItself() {
		assertThat(send("GET", "/e/handled").body()).isEqualTo("handled");
		Reply handled = send("GET", "/e/handled");
		assertThat(handled.statusCode()).isEqualTo(409);
		assertThat(handled.headers()).doesNotContainKey("Retry-After");
	}

	@Test
	void aCallIsChargedToTheUserOfTheRequest() {
		String alice = HttpProbe.basic("alice", "secret");
		assertThat(statuses(2, "/secured/caller", "Authorization", alice)).containsExactly(200, 429);
		assertThat(statuses(1, "/secured/caller", "Authorization", HttpProbe.basic("bob", "secret"))).containsOnly(200);
	}

}
