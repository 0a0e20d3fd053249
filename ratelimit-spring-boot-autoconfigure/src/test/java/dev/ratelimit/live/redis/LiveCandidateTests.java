package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.candidate.CandidateApplication;
import dev.ratelimit.candidate.CandidateDocument;
import dev.ratelimit.candidate.CandidateReport;
import dev.ratelimit.candidate.CandidateStore;
import dev.ratelimit.candidate.LiveCandidate;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.SwitchRequest;
import dev.ratelimit.live.Switches;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a candidate in an application, on a separate server.
 */
@Tag("redis")
class LiveCandidateTests {

	private static TestRedis redis;

	private static CandidateApplication application;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		application = application(redis, Duration.ofSeconds(20));
	}

	private static CandidateApplication application(TestRedis redis, Duration deadline) {
		return new CandidateApplication(redis, "orders", "--ratelimit.deadline=" + deadline.toMillis() + "ms",
				"--ratelimit.rules.search.limit=100/d", "--ratelimit.rules.guarded.limit=5/d",
				"--ratelimit.rules.guarded.programmatic=true", "--ratelimit.rules.guarded.locked=true",
				"--ratelimit.rules.slots.programmatic=true", "--ratelimit.rules.slots.limits[0].limit=2",
				"--ratelimit.rules.slots.limits[0].algorithm=concurrency", "--ratelimit.circuit.probe-interval=200ms");
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	@AfterEach
	void discard() {
		CandidateStore store = application.bean(CandidateStore.class);
		store.read().map(CandidateStore.Counted::document).map(CandidateDocument::version).ifPresent((version) -> {
			assertThat(store.end(version, "alice")).isTrue();
			awaitNone();
		});
	}

	private static void awaitNone() {
		Awaitility.await().until(() -> application.engine().trial(application.engine().editions().current()) == null);
	}

	@Test
	void changedRulesAreChargedInBucketsOfTheirOwn() {
		application.candidate("search", Map.of("limit", "1/d"));
		long version = application.bean(LiveCandidate.class).report().orElseThrow().document().version();
		for (int i = 0; i < 3; i++) {
			assertThat(application.charge("search", "user:own", 1).allowed()).isTrue();
		}
		awaitCounts("search", 1, 2, 0, 0);
		assertThat(redis.keys("*{user:own}:*")).hasSize(2)
			.anySatisfy((key) -> assertThat(key).startsWith("rl:orders:{user:own}:~c" + version + ".search.1d."));
		CandidateReport report = application.bean(LiveCandidate.class).report().orElseThrow();
		assertThat(report.settled()).isFalse();
		assertThat(report.changes()).extracting((change) -> change.rule() + " " + change.to().orElseThrow())
			.containsExactly("search 1/d");
		assertThat(report.counts()).containsOnlyKeys("search");
	}

	@Test
	void lockedRulesAreOutOfItsReach() {
		application.candidate("guarded", Map.of("limit", "1/d"));
		for (int i = 0; i < 3; i++) {
			application.charge("guarded", "user:locked", 1);
		}
		assertThat(application.bean(LiveCandidate.class).report().orElseThrow().counts()).isEmpty();
		assertThat(redis.keys("*{user:locked}:*")).hasSize(1);
	}

	@Test
	void concurrentRequestsAreNotCompared() {
		application.candidate("slots", Map.of("limits", List.of(Map.of("limit", "1", "algorithm", "concurrency"))));
		Decision held = application.charge("slots", "user:slots", 1);
		awaitCounts("slots", 0, 0, 0, 1);
		assertThat(redis.keys("*{user:slots}:~c*")).isEmpty();
		held.reservation().release();
	}

	@Test
	void peeksAreNotCompared() {
		application.candidate("search", Map.of("limit", "1/d"));
		application.charge("search", "user:peek", 0);
		application.charge("search", "user:peek", 1);
		awaitCounts("search", 1, 0, 0, 0);
	}

	@Test
	void aSwitchHoldsForBoth() {
		application.candidate("search", Map.of("limit", "1/d"));
		application.bean(Switches.class)
			.set(new SwitchRequest(Optional.of("search"), RuleMode.SHADOW, Duration.ofMinutes(1), "oscar", "", true));
		application.awaitCandidate();
		for (int i = 0; i < 3; i++) {
			application.charge("search", "user:switched", 1);
		}
		awaitCounts("search", 3, 0, 0, 0);
		application.bean(Switches.class).end(Optional.of("search"), true);
	}

	@Test
	void itIsNotComparedWithOtherRulesThanItsBase() {
		application.candidate("search", Map.of("limit", "1/d"));
		long before = application.version();
		application.bean(WritableRuleSource.class)
			.write(new RuleEdit(before, Map.of("other", Map.of("limit", before + 77 + "/h")), Map.of(), "bob", "",
					List.of()));
		Awaitility.await().until(() -> application.version() == before + 1);
		awaitNone();
		application.charge("search", "user:moved", 1);
		assertThat(redis.keys("*{user:moved}:~c*")).isEmpty();
	}

	@Test
	void aServerThatStandsStillHoldsNoRequestUp() {
		Duration deadline = Duration.ofMillis(500);
		try (TestRedis still = TestRedis.start(); CandidateApplication hasty = application(still, deadline)) {
			hasty.candidate("search", Map.of("limit", "1/d"));
			hasty.charge("search", "user:warm", 1);
			StoreStatus status = hasty.bean(StoreStatus.class);
			still.pause();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
				hasty.charge("search", "user:still", 1);
				return status.circuit() == CircuitBreaker.State.OPEN;
			});
			long start = System.nanoTime();
			for (int i = 0; i < 100; i++) {
				Decision decision = hasty.charge("search", "user:still", 1);
				assertThat(decision.source()).isEqualTo(Source.FALLBACK);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).as("of 100 deadlines")
				.isLessThan(deadline.multipliedBy(80));
			still.resume();
			Awaitility.await().until(() -> status.circuit() == CircuitBreaker.State.CLOSED);
			Awaitility.await()
				.untilAsserted(() -> assertThat(hasty.counts("search").get(3)).isGreaterThanOrEqualTo(100));
			assertThat(hasty.counts("search").subList(1, 3)).containsExactly(0L, 0L);
		}
	}

	@Test
	void aServerThatComesBackEmptyHasNoCandidate() {
		application.candidate("search", Map.of("limit", "1/d"));
		redis.command("FLUSHALL");
		awaitNone();
		assertThat(application.bean(LiveCandidate.class).report()).isEmpty();
	}

	private static void awaitCounts(String rule, long... counts) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(application.counts(rule)).containsExactly(counts[0], counts[1], counts[2],
					counts[3]));
	}

}
