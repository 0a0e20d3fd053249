package dev.ratelimit.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.ratelimit.RateLimiter;
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

/**
 * Tests the responses to clients, which are identical on every stack and store.
 */
@SpringBootTest(classes = ContractApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.config.name=contract")
abstract class HttpContract
		implements ChargingContract, HeaderContract, LeaseContract, ExplainContract, CallerContract {

	@LocalServerPort
	private int port;

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private SlowHandlers handlers;

	private HttpProbe http = new HttpProbe(0);

	/** A key that no other client uses. */
	private String key = "";

	@BeforeEach
	void begin() {
		this.http = new HttpProbe(this.port);
		this.key = UUID.randomUUID().toString();
	}

	@Override
	public HttpProbe http() {
		return this.http;
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public RateLimiter limiter() {
		return this.limiter;
	}

	@Override
	public SlowHandlers handlers() {
		return this.handlers;
	}

	Reply get(String path) {
		return this.http.get(path, "X-Key", this.key);
	}

	List<Integer> statuses(int times, String path) {
		return this.http.statuses(times, "GET", path, "X-Key", this.key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "value", "mono", "flux", "future" })
	void anAnnotatedMethodIsLimitedWhateverItReturns(String method) {
		Reply first = get("/c/" + method);
		assertThat(first.body()).isEqualTo(method);
		assertThat(first.header("RateLimit-Policy"))
			.isEqualTo("\"annotated-" + method + "\";q=3;w=86400, \"everything\";q=1000;w=86400");
		assertThat(first.header("RateLimit")).startsWith("\"annotated-" + method + "\";r=2;t=28800, ");
		assertThat(first.header("X-RateLimit-Limit")).isEqualTo("3");
		assertThat(first.header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(first.header("X-RateLimit-Reset")).matches("\\d{10}");
		assertThat(first.headers()).doesNotContainKey("Retry-After");
		assertThat(statuses(3, "/c/" + method)).containsExactly(200, 200, 429);
	}

	@Test
	void aRejectionIsAProblemWithoutABodyOfTheHandler() {
		statuses(3, "/c/value");
		Reply rejected = get("/c/value");
		String wait = rejected.header("Retry-After");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(Long.parseLong(wait)).isBetween(28790L, 28800L);
		assertThat(rejected.header("RateLimit")).isEqualTo("\"annotated-value\";r=0;t=" + wait);
		assertThat(rejected.header("Cache-Control")).isEqualTo("no-store");
		assertThat(rejected.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(rejected.body()).isEqualTo(
				"{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\",\"title\":\"Quota Exceeded\","
						+ "\"status\":429,\"detail\":\"Rate limit exceeded. Retry in " + wait
						+ " seconds.\",\"instance\":\"/c/value\",\"violated-policies\":[\"annotated-value\"]}");
	}

	@Test
	void aRejectionTakesNothingFromOtherRules() {
		statuses(3, "/c/value");
		int before = everything();
		assertThat(statuses(5, "/c/value")).containsOnly(429);
		assertThat(everything()).isEqualTo(before - 1);
	}

	private int everything() {
		String limits = get("/c/off").header("RateLimit");
		return Integer.parseInt(limits.replaceAll(".*\"everything\";r=(\\d+).*", "$1"));
	}

	@Test
	void aHandlerThatFailsIsChargedOnceAndItsErrorPageNotAtAll() {
		assertThat(get("/c/fails").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(statuses(3, "/c/fails")).containsExactly(500, 500, 429);
	}

	@Test
	void headIsChargedLikeGetAndHasTheSameHeaders() {
		Reply head = http().send("HEAD", "/c/value", "X-Key", key());
		assertThat(head.header("X-RateLimit-Remaining")).isEqualTo("2");
		get("/c/value");
		get("/c/value");
		Reply rejected = http().send("HEAD", "/c/value", "X-Key", key());
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.body()).isEmpty();
	}

	@Test
	void preflightsAreNeverCountedAndOtherOptionsAre() {
		for (int i = 0; i < 5; i++) {
			Reply preflight = http().send("OPTIONS", "/c/missing/shared?who=" + key(), "Origin", "https://example.org",
					"Access-Control-Request-Method", "GET");
			assertThat(preflight.headers()).doesNotContainKey("RateLimit");
		}
		assertThat(http().statuses(3, "OPTIONS", "/c/missing/shared?who=" + key(), "X-Key", key())).containsExactly(200,
				200, 429);
	}

	@ParameterizedTest
	@CsvSource({ "/c/meta, 2", "/c/repeated, 2", "/c/retuned, 2", "/c/named, 4", "/c/users/7, 2", "/c/shared/own, 1",
			"/c/yaml/5, 3", "/c/costly, 2", "/c/three, 5" })
	void limitsHoldExactly(String path, int limit) {
		assertThat(statuses(limit, path)).containsOnly(200);
		assertThat(get(path).statusCode()).isEqualTo(429);
	}

	@Test
	void aRuleOfAHandlerChargesOnlyWhatThatHandlerServes() {
		assertThat(statuses(5, "/c/users/me")).containsOnly(200);
		assertThat(statuses(5, "/c/split?v=2")).containsOnly(200);
		assertThat(statuses(3, "/c/users/x")).containsExactly(200, 200, 429);
		assertThat(statuses(3, "/c/users/y")).containsOnly(429);
		assertThat(statuses(3, "/c/split?v=1")).containsExactly(200, 200, 429);
		assertThat(statuses(3, "/c/split?v=2")).containsOnly(200);
	}

	@Test
	void allMethodsOfAClassShareItsBucket() {
		assertThat(statuses(2, "/c/shared/a")).containsOnly(200);
		assertThat(statuses(2, "/c/shared/b")).containsExactly(200, 429);
		assertThat(statuses(1, "/c/shared/own")).containsOnly(200);
	}

	@Test
	void severalLimitsAreNamedByTheirWindows() {
		Reply response = get("/c/three");
		assertThat(response.header("RateLimit-Policy")).isEqualTo("\"everything\";q=1000;w=86400, "
				+ "\"three-1d\";q=5;w=86400, \"three-365d\";q=100;w=31536000, \"three-90d\";q=20;w=7776000");
		assertThat(response.header("RateLimit")).startsWith("\"three-1d\";r=4;t=17280, \"three-90d\";r=19");
	}

	@Test
	void theMethodOfARuleAndItsPathVariableCount() {
		assertThat(http().statuses(5, "POST", "/c/yaml/1", "X-Key", key())).containsOnly(201);
		assertThat(statuses(3, "/c/yaml/1")).containsOnly(200);
		assertThat(statuses(1, "/c/yaml/1")).containsOnly(429);
		assertThat(statuses(1, "/c/yaml/2")).containsOnly(200);
	}

	@Test
	void exceptPathsAndPathsOfOthersAreFree() {
		assertThat(get("/c/free/x").headers()).doesNotContainKey("RateLimit");
		assertThat(get("/elsewhere").headers()).doesNotContainKey("RateLimit");
	}

	@Test
	void managementEndpointsAreNeverCounted() {
		assertThat(get("/actuator/health").headers()).doesNotContainKey("RateLimit");
	}

	@Test
	void anEarlyRuleCountsWhatAuthenticationRejects() {
		assertThat(statuses(4, "/secured/early")).containsExactly(401, 401, 401, 429);
	}

	@Test
	void aLateRuleCountsTheAuthenticatedUserAlone() {
		String alice = HttpProbe.basic("alice-" + key(), "secret");
		assertThat(http().statuses(5, "GET", "/secured/late")).containsOnly(401);
		assertThat(http().statuses(4, "GET", "/secured/late", "Authorization", alice)).containsExactly(200, 200, 200,
				429);
		assertThat(
				http().statuses(1, "GET", "/secured/late", "Authorization", HttpProbe.basic("bob-" + key(), "secret")))
			.containsOnly(200);
	}

	@Test
	void shadowAndOffRulesNeverRejectAndAreNotShown() {
		assertThat(statuses(3, "/c/shadow")).containsOnly(200);
		assertThat(statuses(3, "/c/off")).containsOnly(200);
		assertThat(get("/c/shadow").header("RateLimit-Policy")).doesNotContain("shadow");
	}

	@Test
	void theStatusFollowsTheSituation() {
		assertThat(statuses(2, "/c/global")).containsExactly(200, 429);
		assertThat(statuses(2, "/c/route/" + key())).contains(420);
		assertThat(http().get("/c/missing/deny").statusCode()).isEqualTo(403);
		assertThat(http().get("/c/missing/deny").headers()).doesNotContainKey("Retry-After");
	}

	@Test
	void aMissingKeySkipsOnlyWhereTheRuleSaysSo() {
		assertThat(http().statuses(3, "GET", "/c/missing/skip")).containsOnly(200);
		assertThat(statuses(2, "/c/missing/skip")).containsExactly(200, 429);
		assertThat(statuses(3, "/c/missing/shared")).contains(429);
	}

	@Test
	void aRetryWithTheSameIdempotencyKeyIsFreeAndAStrangersIsNot() {
		assertThat(order(key(), "a").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(order(key(), "\"a\"").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(order(key(), "b").statusCode()).isEqualTo(201);
		assertThat(order(key(), "c").statusCode()).isEqualTo(201);
		assertThat(order(key(), "d").statusCode()).isEqualTo(429);
		assertThat(order(key(), "a").statusCode()).as("a retry passes an empty bucket").isEqualTo(201);
		assertThat(order(key() + "-stranger", "a").header("X-RateLimit-Remaining")).isEqualTo("2");
		order(key(), "a");
		assertThat(order(key(), "a").statusCode()).as("three retries are free, not four").isEqualTo(429);
		assertThat(order(key(), "d").statusCode()).as("a refusal is not remembered").isEqualTo(429);
	}

	private Reply order(String caller, String idempotencyKey) {
		return http().send("POST", "/c/orders", "X-Key", caller, "Idempotency-Key", idempotencyKey);
	}

	@ParameterizedTest
	@ValueSource(strings = { "}{", "a|b~c%7D", "é😀", "\t x", "%00%0a", "' OR 1=1 --" })
	void hostileKeysAreBoundedAndCounted(String hostile) {
		String header = new String(hostile.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1).trim();
		String unique = key() + header.codePoints()
			.filter((character) -> character >= ' ' && character < 127)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
		assertThat(http().statuses(4, "GET", "/c/value", "X-Key", unique)).containsExactly(200, 200, 200, 429);
	}

	@Test
	void overlongKeysAndBrokenEncodingsAreNoWayAround() {
		String overlong = key() + "x".repeat(4000);
		assertThat(http().statuses(4, "GET", "/c/value", "X-Key", overlong)).containsExactly(200, 200, 200, 429);
		assertThat(http().statuses(3, "GET", "/c/missing/shared?who=%25zz" + key(), "X-Key", key()))
			.containsExactly(200, 200, 429);
		assertThat(http().statuses(4, "GET", "/c/v%61lue", "X-Key", key())).containsExactly(200, 200, 200, 429);
		assertThat(http().send("POST", "/c/orders", "X-Key", key(), "Idempotency-Key", "x".repeat(4000)).statusCode())
			.isEqualTo(201);
	}

}
