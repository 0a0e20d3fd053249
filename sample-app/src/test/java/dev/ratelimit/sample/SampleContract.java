package dev.ratelimit.sample;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples on the page and in the README. Each test checks limits that no
 * other test exhausts.
 */
abstract class SampleContract {

	private static final String ALICE = HttpProbe.basic("alice", "alice");

	private static final String BOB = HttpProbe.basic("bob", "bob");

	private static final String OPERATOR = HttpProbe.basic("operator", "operator");

	/**
	 * Return the port that the sample listens on.
	 */
	abstract int port();

	private HttpProbe http() {
		return new HttpProbe(port());
	}

	@Test
	void helloIsTenAMinuteForEachCaller() {
		long beginNanos = System.nanoTime();
		int allowed = 0;
		int status = http().get("/api/hello").statusCode();
		while (status == 200 && allowed < 100) {
			allowed++;
			status = http().get("/api/hello").statusCode();
		}
		assertThat(status).isEqualTo(429);
		// A request is refilled each six seconds.
		long refilled = Duration.ofNanos(System.nanoTime() - beginNanos).toSeconds() / 6;
		assertThat(allowed).isBetween(10, 10 + (int) refilled);
		assertThat(http().get("/api/hello", "Authorization", ALICE).statusCode()).isEqualTo(200);
	}

	@Test
	void searchCostsFiveOfOneHundredAndFifty() {
		Reply first = http().get("/api/search?q=x", "Authorization", ALICE);
		assertThat(first.body()).contains("'x'");
		assertThat(first.header("X-RateLimit-Limit")).isEqualTo("150");
		assertThat(Integer.parseInt(first.header("X-RateLimit-Remaining"))).isBetween(140, 145);
		assertThat(http().get("/api/search?q=x").statusCode()).isEqualTo(401);
	}

	@Test
	void thePlanOfAUserChoosesTheNumbers() {
		assertThat(http().get("/api/search?q=x", "Authorization", ALICE).header("RateLimit-Policy"))
			.contains("\"plan\";q=100;w=60");
		assertThat(http().get("/api/search?q=x", "Authorization", BOB).header("RateLimit-Policy"))
			.contains("\"plan\";q=10000;w=60");
		assertThat(http().get("/api/nothing").header("RateLimit-Policy")).doesNotContain("plan");
	}

	@Test
	void reportsHaveThreeLimitsAtOnce() {
		Reply report = http().get("/api/reports", "Authorization", BOB);
		assertThat(report.header("RateLimit-Policy")).contains("\"reports-1h\";q=100;w=3600")
			.contains("\"reports-1min\";q=20;w=60")
			.contains("\"reports-1s\";q=5;w=1");
		List<Integer> rest = http().statuses(30, "GET", "/api/reports", "Authorization", BOB);
		assertThat(rest).contains(429);
		// Even if the machine takes 15 seconds, 20 per minute refill only 5 requests.
		assertThat(rest.stream().filter((status) -> status == 200).count()).isLessThanOrEqualTo(25);
	}

	@Test
	void slowWaits() {
		http().get("/api/slow");
		long begin = System.nanoTime();
		assertThat(http().statuses(3, "GET", "/api/slow")).containsExactly(200, 200, 200);
		assertThat(System.nanoTime() - begin).isGreaterThan(400_000_000L);
	}

	@Test
	void loginCountsFailedLogins() {
		List<Integer> statuses = IntStream.range(0, 6).mapToObj((i) -> login("wrong").statusCode()).toList();
		assertThat(statuses).containsExactly(401, 401, 401, 401, 401, 429);
		assertThat(login("alice").statusCode()).isEqualTo(429);
	}

	@Test
	void ordersAreFreeToRetry() {
		assertThat(order("a").header("X-RateLimit-Remaining")).isEqualTo("19");
		Reply retry = order("a");
		assertThat(retry.statusCode()).isEqualTo(201);
		assertThat(Integer.parseInt(retry.header("X-RateLimit-Remaining"))).isGreaterThanOrEqualTo(19);
		assertThat(order("b").header("X-RateLimit-Remaining")).isIn("18", "19");
	}

	@Test
	void openAndManagementHaveNoLimit() {
		assertThat(http().get("/open").headers()).doesNotContainKey("RateLimit");
		assertThat(http().get("/actuator/health").headers()).doesNotContainKey("RateLimit");
		assertThat(http().get("/").body()).contains("Rate limits to try");
	}

	@Test
	void theActuatorShowsRulesAndStartsASubjectAfresh() {
		String path = "/actuator/ratelimit/order-controller-order/user:bob";
		long beginNanos = System.nanoTime();
		http().send("POST", "/api/orders", "Authorization", BOB);
		String body = http().get(path).body();
		// After three seconds, the request is refilled.
		boolean refilled = System.nanoTime() - beginNanos >= 3_000_000_000L;
		assertThat(body).containsPattern("\"remaining\":" + ((refilled) ? "(19|20)" : "19"));
		assertThat(http().send("DELETE", path).statusCode()).isEqualTo(403);
		assertThat(http().send("DELETE", path, "Authorization", OPERATOR).statusCode()).isEqualTo(204);
		assertThat(http().get(path).body()).contains("\"remaining\":20");
		assertThat(http().get("/actuator/ratelimit").body()).contains("\"origin\":\"annotation\"")
			.contains("\"per-ip\"");
		assertThat(http().get("/actuator/prometheus").body()).contains("ratelimit_decisions_total")
			.contains("ratelimit_decision_seconds_bucket");
	}

	private Reply login(String password) {
		String form = "username=alice&password=" + password;
		return http().send("POST", "/api/login", form,
				new String[] { "Content-Type", "application/x-www-form-urlencoded" });
	}

	private Reply order(String idempotencyKey) {
		return http().send("POST", "/api/orders", "Authorization", ALICE, "Idempotency-Key", idempotencyKey);
	}

}
