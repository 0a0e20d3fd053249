package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the cost of requests, the plans that apply to them, and corrections after their
 * completion.
 */
interface ChargingContract {

	HttpProbe http();

	String key();

	RateLimiter limiter();

	private Reply get(String path, String... headers) {
		String[] all = new String[headers.length + 2];
		all[0] = "X-Key";
		all[1] = key();
		System.arraycopy(headers, 0, all, 2, headers.length);
		return http().get(path, all);
	}

	// The correction follows the response, so the next request may arrive before it.
	private void awaitRemaining(String path, int remaining, String... headers) {
		Awaitility.await().untilAsserted(() -> {
			Reply reply = get(path, headers);
			assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(remaining));
		});
	}

	@ParameterizedTest
	@CsvSource({ "3, 9", "9, 3", "5, 5", "1, 8" })
	default void aHandlerSettlesWhatWasReallyUsed(int actual, int estimate) {
		assertThat(get("/charging/settled?actual=" + actual, "X-Estimate", Integer.toString(estimate)).body())
			.isEqualTo("true");
		assertThat(get("/charging/settled?actual=0", "X-Estimate", "1").header("X-RateLimit-Remaining"))
			.isEqualTo(Integer.toString(9 - actual));
	}

	@Test
	default void aHandlerThatNoRuleAppliesToHasNothingToSettle() {
		assertThat(get("/charging/nothing").body()).isEqualTo("none");
		assertThat(get("/charging/nothing").headers()).doesNotContainKey("RateLimit-Policy");
	}

	@Test
	default void usageBeyondTheEstimateIsADebt() {
		get("/charging/settled?actual=15", "X-Estimate", "10");
		Reply rejected = get("/charging/settled?actual=0", "X-Estimate", "1");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(Long.parseLong(rejected.header("Retry-After"))).isBetween(51_830L, 51_840L);
	}

	@ParameterizedTest
	@CsvSource({ "'', 9", "0, 9", "nonsense, 0", "-5, 0", "99999999999999999999, 0", "1e3, 0" })
	default void anEstimateThatIsNoNumberCostsAll(String estimate, String remaining) {
		assertThat(get("/charging/settled?actual=1", "X-Estimate", estimate).header("X-RateLimit-Remaining"))
			.isEqualTo(remaining);
	}

	@Test
	default void anEstimateThatCanNeverFitIsRejectedForGood() {
		Reply rejected = get("/charging/settled?actual=1", "X-Estimate", "999999999999999999");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.headers()).doesNotContainKey("Retry-After");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/charging/refunded?status=503", "/charging/refunded?status=418",
			"/charging/refunded/later?status=500", "/charging/refunded/thrown" })
	default void aRequestOfSuchAStatusGetsItsChargeBack(String path) {
		for (int i = 0; i < 5; i++) {
			assertThat(get(path).statusCode()).isGreaterThanOrEqualTo(418).isNotEqualTo(429);
			awaitPeek();
		}
	}

	// Two units are left. A refunded request reports one, because it is charged until its
	// end.
	private void awaitPeek() {
		Awaitility.await().untilAsserted(() -> {
			Reply reply = get("/charging/refunded?status=500");
			assertThat(reply.statusCode()).isEqualTo(500);
			assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo("1");
		});
	}

	@Test
	default void aRequestThatGotItsChargeBackIsNotRemembered() {
		for (int i = 0; i < 3; i++) {
			assertThat(order("a", 503).header("X-RateLimit-Remaining")).isEqualTo("1");
			Awaitility.await()
				.untilAsserted(() -> assertThat(
						limiter().peek("refunded-orders", "header:" + key()).blockOptional().orElseThrow().verdicts())
					.allSatisfy((verdict) -> assertThat(verdict.remaining()).isEqualTo(2)));
		}
		assertThat(order("a", 200).header("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(order("a", 200).header("X-RateLimit-Remaining")).as("a retry of what was paid").isEqualTo("1");
		assertThat(order("d", 200).statusCode()).isEqualTo(200);
		assertThat(order("e", 200).statusCode()).isEqualTo(429);
	}

	private Reply order(String idempotencyKey, int status) {
		return http().send("POST", "/charging/orders?status=" + status, "X-Key", key(), "Idempotency-Key",
				idempotencyKey);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/charging/refunded", "/charging/refunded/later" })
	default void aRequestOfAnotherStatusKeepsItsCharge(String path) {
		assertThat(get(path + "?status=200").statusCode()).isEqualTo(200);
		assertThat(get(path + "?status=404").statusCode()).isEqualTo(404);
		assertThat(get(path + "?status=200").statusCode()).isEqualTo(429);
	}

	@Test
	default void onlySuchStatusesCount() {
		for (int i = 0; i < 5; i++) {
			Awaitility.await()
				.untilAsserted(() -> assertThat(get("/charging/count-only?status=204").statusCode()).isEqualTo(204));
		}
		awaitRemaining("/charging/count-only?status=200", 1);
		Awaitility.await()
			.untilAsserted(() -> assertThat(get("/charging/count-only?status=401").statusCode()).isEqualTo(401));
		Awaitility.await()
			.untilAsserted(() -> assertThat(get("/charging/count-only?status=401").statusCode()).isEqualTo(401));
		assertThat(get("/charging/count-only?status=401").statusCode()).isEqualTo(429);
	}

	@Test
	default void manyAtATimeCannotExceedWhatOnlyCountsAfterwards() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(20);
		try {
			Callable<Integer> attempt = () -> get("/charging/count-only?status=401").statusCode();
			List<Future<Integer>> statuses = executor.invokeAll(Collections.nCopies(50, attempt));
			int counted = 0;
			for (Future<Integer> status : statuses) {
				counted += (status.get() == 401) ? 1 : 0;
			}
			assertThat(counted).isEqualTo(2);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	default void aLeakyBucketHoldsWhatComesTooSoonAndRejectsWhatDoesNotFit() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(8);
		try {
			long start = System.nanoTime();
			Callable<Long> attempt = () -> {
				int status = get("/charging/queue").statusCode();
				return (status == 200) ? (System.nanoTime() - start) / 1_000_000 : -status;
			};
			List<Long> passed = new ArrayList<>();
			for (Future<Long> outcome : executor.invokeAll(Collections.nCopies(8, attempt))) {
				passed.add(outcome.get());
			}
			assertThat(passed).contains(-429L);
			passed.removeIf((millis) -> millis == -429);
			Collections.sort(passed);
			// If the eight requests arrive slowly, more than two find room.
			assertThat(passed).hasSizeGreaterThanOrEqualTo(2);
			for (int i = 0; i < passed.size(); i++) {
				assertThat(passed.get(i)).isGreaterThanOrEqualTo(1000L * i);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	default void contentCostsItsLength() {
		assertThat(post("12345").header("X-RateLimit-Remaining")).isEqualTo("5");
		assertThat(post("123456").statusCode()).isEqualTo(429);
		Reply last = post("12345");
		assertThat(last.statusCode()).isEqualTo(200);
		assertThat(last.header("RateLimit-Policy")).isEqualTo("\"bytes\";q=10;qu=\"content-bytes\";w=86400");
	}

	private Reply post(String body) {
		return http().send("POST", "/charging/bytes", body,
				new String[] { "X-Key", key(), "Content-Type", "text/plain" });
	}

	@Test
	default void aBeanOrAParameterFindsTheCost() {
		assertThat(get("/charging/twice").header("X-RateLimit-Remaining")).isEqualTo("3");
		assertThat(get("/charging/param?n=7").header("X-RateLimit-Remaining")).isEqualTo("3");
		assertThat(get("/charging/param").header("X-RateLimit-Remaining")).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "00000000000000000005", "0x5", "%205", "5%20", "%2B5", "-5", "5.0", "1&n=5", "5&n=1",
			"%EF%BC%95" })
	default void malformedCostChargesTheWholeCapacity(String spelled) {
		assertThat(get("/charging/sized?n=" + spelled).header("X-RateLimit-Remaining")).isEqualTo("0");
	}

	@Test
	default void aHeaderCostsItsOneNumber() {
		assertThat(get("/charging/weighed", "X-Weight", "05").header("X-RateLimit-Remaining")).isEqualTo("5");
		assertThat(get("/charging/weighed", "X-Weight", "0").header("X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(get("/charging/weighed?n=3").header("X-RateLimit-Remaining")).isEqualTo("3");
		assertThat(get("/charging/weighed", "X-Weight", "").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(get("/charging/weighed", "X-Weight", "1, 1").statusCode()).isEqualTo(429);
		assertThat(get("/charging/weighed", "X-Weight", "1", "X-Weight", "1").statusCode()).isEqualTo(429);
	}

	@Test
	default void aParameterThatIsAbsentOrEmptyCostsOne() {
		assertThat(get("/charging/sized?m=5").header("X-RateLimit-Remaining")).isEqualTo("9");
		assertThat(get("/charging/sized?n=").header("X-RateLimit-Remaining")).isEqualTo("8");
		assertThat(get("/charging/sized?n=0").header("X-RateLimit-Remaining")).isEqualTo("7");
		assertThat(get("/charging/sized?n=03").header("X-RateLimit-Remaining")).isEqualTo("4");
	}

	@Test
	default void thePlanChoosesTheNumbers() {
		assertThat(get("/charging/plans", "X-Plan", "paid").header("RateLimit-Policy"))
			.isEqualTo("\"tariff\";q=3;w=86400");
		assertThat(get("/charging/plans", "X-Plan", "paid").header("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(get("/charging/plans", "X-Plan", "team").header("RateLimit-Policy"))
			.isEqualTo("\"tariff-1d\";q=5;w=86400, \"tariff-1s\";q=2;w=1");
		assertThat(get("/charging/plans").statusCode()).isEqualTo(200);
		assertThat(get("/charging/plans", "X-Plan", "unheard-of").statusCode()).isEqualTo(429);
	}

	@Test
	default void aPlanWithoutLimitPassesAndOneOfNothingDoesNot() {
		for (int i = 0; i < 5; i++) {
			Reply passed = get("/charging/plans", "X-Plan", "partner");
			assertThat(passed.statusCode()).isEqualTo(200);
			assertThat(passed.headers()).doesNotContainKey("RateLimit-Policy");
		}
		Reply banned = get("/charging/plans", "X-Plan", "banned");
		assertThat(banned.statusCode()).isEqualTo(403);
		assertThat(banned.headers()).doesNotContainKey("Retry-After");
		assertThat(banned.body()).contains("\"violated-policies\":[\"tariff\"]");
	}

	@Test
	default void aSpecificRuleReplacesAGeneralOne() {
		assertThat(get("/charging/special").header("RateLimit-Policy")).isEqualTo("\"special\";q=3;w=86400");
		assertThat(get("/charging/special").statusCode()).isEqualTo(200);
		assertThat(get("/charging/special").statusCode()).isEqualTo(200);
		assertThat(get("/charging/special").statusCode()).isEqualTo(429);
	}

	@Test
	default void rulesOfOneBucketCountTogetherAndARequestOnce() {
		assertThat(get("/charging/shared/a").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(get("/charging/shared/b").header("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(get("/charging/shared/a").statusCode()).isEqualTo(200);
		assertThat(get("/charging/shared/b").statusCode()).isEqualTo(429);
	}

}
