package dev.ratelimit.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.Reason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the quotas of both clients with a real server.
 */
abstract class AbstractQuotaTests {

	private static ScriptedServer server;

	final RecordedLimiter limiter = new RecordedLimiter();

	final ManualTime retryTime = new ManualTime();

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private final OutboundListener listener = new OutboundListener() {

		@Override
		public void decided(Quota quota, Decision decision) {
			AbstractQuotaTests.this.told.add(quota.name() + " " + decision.allowed());
		}

		@Override
		public void paused(Quota quota, Duration pause) {
			AbstractQuotaTests.this.told.add(quota.name() + " paused " + pause);
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
	 * Send a request with a client that retries once and charges quotas.
	 */
	abstract int send(Quotas quotas, String url);

	private int get(String path) {
		return send(
				new Quotas(this.limiter,
						List.of(quota("partner", server.url("localhost") + "/v1/**", "1m"),
								quota("rest", server.url("localhost"), "0s")),
						this.time, this.listener),
				server.url("localhost") + path);
	}

	private static Quota quota(String name, String url, String maxPause) {
		return new Quota(name, List.of(url), "rule-" + name, Duration.ofSeconds(2),
				DurationStyle.detectAndParse(maxPause));
	}

	@Test
	void chargesTheFirstQuotaThatMatches() {
		assertThat(get("/v1/search?q=1")).isEqualTo(200);
		assertThat(get("/v2")).isEqualTo(200);
		assertThat(this.limiter.calls()).containsExactly("rule-partner global 1 PT2S", "rule-rest global 1 PT2S");
		assertThat(this.told).containsExactly("partner true", "rest true");
	}

	@Test
	void leavesOtherUrlsAlone() {
		Quotas quotas = new Quotas(this.limiter, List.of(quota("partner", server.url("127.0.0.1"), "1m")));
		assertThat(send(quotas, server.url("localhost") + "/v1")).isEqualTo(200);
		assertThat(this.limiter.calls()).isEmpty();
	}

	@Test
	void aRejectedRequestIsNotSent() {
		this.limiter.rejectNext();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get("/v1"));
		assertThat(server.received()).isEmpty();
		assertThat(this.told).containsExactly("partner false");
	}

	@Test
	void waitsForTheEndOfAPauseWithinTheMaximumWait() {
		this.limiter.rejectNext(Reason.PAUSED, Duration.ofMillis(1500));
		assertThat(get("/v1")).isEqualTo(200);
		assertThat(this.limiter.calls()).containsExactly("rule-partner global 1 PT2S", "rule-partner global 1 PT0.5S");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(1500));
		assertThat(this.told).containsExactly("partner true");
	}

	@ParameterizedTest
	@CsvSource({ "PAUSED, 2001", "LIMIT_EXCEEDED, 1500" })
	void doesNotWaitFurtherThanTheMaximumWait(Reason reason, long waitMillis) {
		this.limiter.rejectNext(reason, Duration.ofMillis(waitMillis));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get("/v1"));
		assertThat(this.time.waits()).isEmpty();
		assertThat(server.received()).isEmpty();
	}

	@Test
	void aRetryThatIsRejectedIsSentOnceItIsCharged() {
		server.answer(429, "Retry-After: 1");
		this.limiter.allowNext();
		this.limiter.rejectNext(Reason.PAUSED, Duration.ofSeconds(30));
		this.limiter.rejectNext(Reason.LIMIT_EXCEEDED, Duration.ofSeconds(10));
		assertThat(get("/v1")).isEqualTo(200);
		assertThat(server.received()).hasSize(2);
		// Retries that compete for the units do not wake at the same time.
		assertThat(this.retryTime.waits()).containsExactly(Duration.ofSeconds(1), Duration.ofMillis(30_025),
				Duration.ofMillis(10_025));
	}

	@Test
	void aRetryWaitsNoLongerThanItsMaximumWait() {
		server.answer(429, "Retry-After: 1");
		this.limiter.allowNext();
		this.limiter.rejectNext(Reason.PAUSED, Duration.ofSeconds(61));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get("/v1"));
		assertThat(server.received()).hasSize(1);
	}

	@Test
	void chargesEachAttempt() {
		server.answer(429, "Retry-After: 7");
		assertThat(get("/v1")).isEqualTo(200);
		assertThat(this.limiter.calls()).containsExactly("rule-partner global 1 PT2S", "pause rule-partner global PT7S",
				"rule-partner global 1 PT2S");
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429 | Retry-After: 7                              | partner paused PT7S
			503 | Retry-After: 7                              | partner paused PT7S
			429 | Retry-After: 3600                           | partner paused PT1M
			""", delimiter = '|')
	void aRejectionByTheServerPausesTheRule(int status, String field, String expected) {
		server.answer(status, field);
		get("/v1");
		assertThat(this.told).contains(expected);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429 | /v1 | Retry-After: 0
			429 | /v1 | Other: 7
			500 | /v1 | Retry-After: 7
			200 | /v1 | Retry-After: 7
			429 | /v2 | Retry-After: 7
			""", delimiter = '|')
	void otherResponsesDoNotPauseTheRule(int status, String path, String field) {
		server.answer(status, field);
		get(path);
		assertThat(this.limiter.calls()).noneMatch((call) -> call.startsWith("pause"));
	}

}
