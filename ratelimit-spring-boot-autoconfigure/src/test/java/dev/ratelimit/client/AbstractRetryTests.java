package dev.ratelimit.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.ratelimit.client.OutboundListener.Reason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the retries of both clients with a real server and a manual clock.
 */
abstract class AbstractRetryTests {

	static final RetrySettings DEFAULT = RetrySettings.DEFAULT;

	private static ScriptedServer server;

	final ManualTime time = new ManualTime();

	private final List<Reason> rejections = new ArrayList<>();

	private final List<Duration> throttled = new ArrayList<>();

	private final OutboundListener listener = new OutboundListener() {

		@Override
		public void gaveUp(Reason reason) {
			AbstractRetryTests.this.rejections.add(reason);
		}

		@Override
		public void throttled(Duration wait) {
			AbstractRetryTests.this.throttled.add(wait);
		}

	};

	@BeforeAll
	static void start() throws IOException {
		server = new ScriptedServer();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void forget() {
		server.forget();
	}

	/**
	 * Create a client with a retry policy.
	 */
	abstract Client client(RateLimitRetry retry);

	ScriptedServer server() {
		return server;
	}

	Client client() {
		return client(DEFAULT);
	}

	Client client(RetrySettings settings) {
		return client(retry(settings));
	}

	RateLimitRetry retry(RetrySettings settings) {
		return new RateLimitRetry(settings, this.time, this.listener, () -> 0.5);
	}

	private int get(Client client) {
		return client.send("GET", server.url("localhost"), "");
	}

	private static List<Duration> seconds(double... seconds) {
		List<Duration> durations = new ArrayList<>();
		for (double each : seconds) {
			durations.add(Duration.ofMillis(Math.round(each * 1000)));
		}
		return durations;
	}

	private static RetrySettings settings(int maxAttempts, Duration maxTotalTime, double ratio, int reserve) {
		return new RetrySettings(maxAttempts, DEFAULT.maxWait(), maxTotalTime, DEFAULT.backoff(), DEFAULT.statuses(),
				DEFAULT.methods(), ratio, reserve, true);
	}

	@ParameterizedTest
	@ValueSource(ints = { 429, 503 })
	void waitsAsToldAndSendsAgain(int status) {
		server.answer(status, "Retry-After: 5");
		assertThat(get(client())).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(5));
		assertThat(server.received()).hasSize(2);
		assertThat(this.rejections).isEmpty();
	}

	@Test
	void waitsUntilADate() {
		server.answer(429, "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT");
		assertThat(get(client())).isEqualTo(429);
		assertThat(this.rejections).containsExactly(Reason.WAIT);
	}

	@Test
	void doesNotWaitForWhatIsAboveTheCap() {
		server.answer(429, "Retry-After: 61");
		assertThat(get(client())).isEqualTo(429);
		assertThat(this.time.waits()).isEmpty();
		assertThat(this.rejections).containsExactly(Reason.WAIT);
		server.answer(429, "Retry-After: 60");
		assertThat(get(client())).isEqualTo(200);
	}

	@Test
	void backsOffWhereNoWaitIsNamed() {
		server.answerTimes(2, 503);
		assertThat(get(client())).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(0.375, 0.75));
	}

	@Test
	void endsAfterItsAttempts() {
		server.answerTimes(5, 429, "Retry-After: 1");
		assertThat(get(client())).isEqualTo(429);
		assertThat(server.received()).hasSize(3);
		assertThat(this.rejections).containsExactly(Reason.ATTEMPTS);
	}

	@Test
	void endsWhenAllWaitsTogetherWouldTakeTooLong() {
		server.answerTimes(5, 429, "Retry-After: 6");
		assertThat(get(client(settings(9, Duration.ofSeconds(10), 0.1, 10)))).isEqualTo(429);
		assertThat(this.time.waits()).isEqualTo(seconds(6));
		assertThat(this.rejections).containsExactly(Reason.TOTAL_TIME);
	}

	@Test
	void leavesOtherStatusesAlone() {
		server.answer(500, "Retry-After: 1");
		assertThat(get(client())).isEqualTo(500);
		assertThat(this.rejections).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "OPTIONS", "PUT", "DELETE" })
	void repeatsIdempotentMethods(String method) {
		server.answer(429, "Retry-After: 1");
		assertThat(client().send(method, server.url("localhost"), "")).isEqualTo(200);
		assertThat(server.received()).extracting(ScriptedServer.Received::method).containsExactly(method, method);
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PATCH" })
	void repeatsOthersOnlyWithAnIdempotencyKey(String method) {
		server.answer(429, "Retry-After: 1");
		assertThat(client().send(method, server.url("localhost"), "b")).isEqualTo(429);
		assertThat(this.rejections).containsExactly(Reason.METHOD);
		server.answer(429, "Retry-After: 1");
		assertThat(client().send(method, server.url("localhost"), "b", "Idempotency-Key", "k")).isEqualTo(200);
	}

	@Test
	void repeatsOthersWhereItIsAskedFor() {
		server.answer(429, "Retry-After: 1");
		RetrySettings asked = new RetrySettings(2, DEFAULT.maxWait(), DEFAULT.maxTotalTime(), DEFAULT.backoff(),
				DEFAULT.statuses(), Set.of("post"), 0.1, 10, true);
		assertThat(client(asked).send("POST", server.url("localhost"), "b")).isEqualTo(200);
	}

	@Test
	void sendsTheSameBodyAndHeadersAgain() {
		server.answer(429, "Retry-After: 1");
		client().send("PUT", server.url("localhost"), "the body", "X-Mine", "1");
		assertThat(server.received()).hasSize(2).allSatisfy((request) -> {
			assertThat(request.body()).isEqualTo("the body");
			assertThat(request.headers().get("X-Mine")).containsExactly("1");
			assertThat(request.headers().get("Content-Length")).containsExactly("8");
			assertThat(request.headers().getFirst("Content-Type")).startsWith("text/plain");
		});
	}

	@Test
	void anOutageIsNotMultiplied() {
		Client client = client(settings(3, DEFAULT.maxTotalTime(), 0.1, 4));
		server.answerTimes(300, 503, "Retry-After: 1");
		for (int i = 0; i < 100; i++) {
			assertThat(get(client)).isEqualTo(503);
		}
		assertThat(server.received()).hasSizeBetween(110, 114);
		assertThat(this.rejections).contains(Reason.BUDGET);
	}

	@Test
	void aRetryThatSucceedsCostsNothing() {
		Client client = client(settings(3, DEFAULT.maxTotalTime(), 0, 2));
		for (int i = 0; i < 8; i++) {
			server.answer(429, "Retry-After: 1");
			assertThat(get(client)).isEqualTo(200);
		}
	}

	@Test
	void eachClientHasABudgetOfItsOwn() {
		RateLimitRetry retry = retry(settings(2, DEFAULT.maxTotalTime(), 0, 1));
		Client one = client(retry);
		server.answerTimes(3, 503, "Retry-After: 1");
		get(one);
		get(one);
		assertThat(this.rejections).containsExactly(Reason.ATTEMPTS, Reason.BUDGET);
		server.answer(503, "Retry-After: 1");
		assertThat(get(client(retry))).isEqualTo(200);
	}

	@Test
	void holdsRequestsBackWhileNothingIsLeft() {
		Client client = client();
		server.answer(200, "RateLimit: \"hour\";r=3;t=9, \"day\";r=0;t=30");
		get(client);
		this.time.pass(Duration.ofSeconds(10));
		assertThat(client.send("POST", server.url("localhost"), "b")).isEqualTo(200);
		assertThat(get(client)).isEqualTo(200);
		assertThat(this.throttled).isEqualTo(seconds(20));
		assertThat(this.time.waits()).isEqualTo(seconds(20));
	}

	@Test
	void theTotalTimeBeginsWithTheFirstAttempt() {
		Client client = client(settings(2, Duration.ofSeconds(30), 0.1, 10));
		server.answer(200, "RateLimit: \"day\";r=0;t=25");
		get(client);
		server.answer(429, "Retry-After: 10");
		assertThat(get(client)).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(25, 10));
	}

	@Test
	void holdsBackOnlyWhatGoesToTheSameOrigin() {
		Client client = client();
		server.answer(200, "RateLimit: \"day\";r=0;t=30");
		get(client);
		client.send("GET", server.url("127.0.0.1"), "");
		assertThat(this.throttled).isEmpty();
	}

	@Test
	void doesNotHoldBackForLongerThanTheCap() {
		Client client = client();
		server.answer(200, "RateLimit: \"day\";r=0;t=61");
		get(client);
		assertThat(get(client)).isEqualTo(200);
		assertThat(this.time.waits()).isEmpty();
	}

	@Test
	void excessivePauseDoesNotAffectLaterResponses() {
		Client client = client();
		server.answer(200, "RateLimit: \"day\";r=0;t=9999999");
		get(client);
		server.answer(429, "Retry-After: 5");
		assertThat(get(client)).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(5));
		server.answer(503);
		assertThat(get(client)).isEqualTo(200);
		assertThat(this.rejections).isEmpty();
	}

	@Test
	void doesNotSendAgainWhatTheSameResponseSaysWillBeRejected() {
		server.answer(429, "RateLimit: \"day\";r=0;t=3600");
		assertThat(get(client())).isEqualTo(429);
		assertThat(this.time.waits()).isEmpty();
		assertThat(this.rejections).containsExactly(Reason.WAIT);
	}

	@Test
	void doesNotHoldBackForWhatACacheSaid() {
		Client client = client();
		server.answer(200, "RateLimit: \"day\";r=0;t=30", "Age: 3");
		get(client);
		get(client);
		assertThat(this.time.waits()).isEmpty();
	}

	@Test
	void doesNotHoldBackWhereThatIsSwitchedOff() {
		Client client = client(new RetrySettings(2, DEFAULT.maxWait(), DEFAULT.maxTotalTime(), DEFAULT.backoff(),
				DEFAULT.statuses(), DEFAULT.methods(), 0.1, 10, false));
		server.answer(200, "RateLimit: \"day\";r=0;t=30");
		get(client);
		get(client);
		assertThat(this.time.waits()).isEmpty();
	}

	@Test
	void retryAfterWinsOverWhatIsLeft() {
		server.answer(429, "RateLimit: \"day\";r=0;t=40", "Retry-After: 20");
		assertThat(get(client())).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(20));
	}

	@Test
	void rateLimitHeaderGivesTheWaitWithoutRetryAfter() {
		server.answer(429, "RateLimit: \"day\";r=0;t=40");
		assertThat(get(client())).isEqualTo(200);
		assertThat(this.time.waits()).isEqualTo(seconds(40));
	}

	/**
	 * A client under test.
	 */
	interface Client {

		int send(String method, String url, String body, String... headers);

	}

}
