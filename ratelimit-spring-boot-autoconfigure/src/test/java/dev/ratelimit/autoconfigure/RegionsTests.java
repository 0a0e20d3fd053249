package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.redis.RegionBoard;
import dev.ratelimit.store.region.PeerRegions;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests two regions, each with a separate Redis.
 */
@Tag("redis")
class RegionsTests {

	private static ApplicationContextRunner region(String here, TestRedis home, String peer, TestRedis other,
			String... properties) {
		return plain("ratelimit.store=redis", "ratelimit.redis.host=" + home.host(),
				"ratelimit.redis.port=" + home.port(), "ratelimit.stores." + peer + ".host=" + other.host(),
				"ratelimit.stores." + peer + ".port=" + other.port(), "ratelimit.regions.here=" + here,
				"ratelimit.regions.peers=" + peer)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues(properties);
	}

	private static ApplicationContextRunner plain(String... properties) {
		return EnableAuto.plain()
			.withPropertyValues("ratelimit.deadline=5s", "ratelimit.warm-up=0", "spring.application.name=shop",
					"ratelimit.rules.api.limit=10/h", "ratelimit.rules.api.programmatic=true",
					"ratelimit.rules.api.key=user", "ratelimit.rules.api.regions=shared")
			.withPropertyValues(properties);
	}

	private static void inBoth(TestRedis eu, TestRedis us,
			BiConsumer<AssertableApplicationContext, AssertableApplicationContext> test, String... properties) {
		region("eu", eu, "us", us, properties)
			.run((first) -> region("us", us, "eu", eu, properties).run((second) -> test.accept(first, second)));
	}

	private static RateLimiter limiter(AssertableApplicationContext context) {
		return context.getBean(RateLimiter.class);
	}

	private static long remaining(AssertableApplicationContext context, String subject) {
		return limiter(context).acquireBlocking("api", subject, 0).verdicts().get(0).remaining();
	}

	@Test
	void aSharedLimitIsCountedInBothRegions() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				for (int i = 0; i < 10; i++) {
					long left = 9 - i;
					AssertableApplicationContext region = (i % 2 == 0) ? first : second;
					assertThat(limiter(region).acquireBlocking("api", "user:a").allowed()).isTrue();
					Awaitility.await().untilAsserted(() -> {
						assertThat(remaining(first, "user:a")).isEqualTo(left);
						assertThat(remaining(second, "user:a")).isEqualTo(left);
					});
				}
				assertThat(limiter(first).acquireBlocking("api", "user:a").allowed()).isFalse();
				assertThat(limiter(second).acquireBlocking("api", "user:a").allowed()).isFalse();
				MeterRegistry meters = first.getBean(MeterRegistry.class);
				Awaitility.await()
					.untilAsserted(() -> assertThat(
							meters.get("ratelimit.region.reported").tag("peer", "us").functionCounter().count())
						.isEqualTo(5));
				assertThat(meters.get("ratelimit.region.lost").functionCounter().count()).isZero();
			});
		}
	}

	@Test
	void refundsAndResetsReachTheOtherRegion() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				limiter(first).acquireBlocking("api", "user:a", 4).reservation().cancel();
				limiter(first).acquireBlocking("api", "user:a", 3);
				Awaitility.await().untilAsserted(() -> assertThat(remaining(second, "user:a")).isEqualTo(7));
				assertThat(remaining(first, "user:a")).isEqualTo(7);
				second.getBean(RateLimitEngine.class).reset("api", "user:a").join();
				Awaitility.await().untilAsserted(() -> assertThat(remaining(first, "user:a")).isEqualTo(10));
			});
		}
	}

	@Test
	void leasedUnitsAreReportedAndReturned() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				IntStream.range(0, 200).forEach((i) -> limiter(first).acquireBlocking("api", "user:a"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(remaining(second, "user:a")).isEqualTo(99_800));
			}, "ratelimit.rules.api.limit=100000/366d", "ratelimit.rules.api.algorithm=fixed-window",
					"ratelimit.rules.api.consistency=leased");
		}
	}

	@Test
	void aRegionThatIsCutOffCountsAloneAndSaysSo() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				limiter(first).acquireBlocking("api", "user:a");
				Awaitility.await().untilAsserted(() -> assertThat(remaining(second, "user:a")).isEqualTo(9));
				us.pause();
				try {
					limiter(first).acquireBlocking("api", "user:b");
					Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
						Health health = first.getBean("ratelimitHealthIndicator", HealthIndicator.class).health();
						assertThat(health.getStatus().getCode()).isEqualTo("DEGRADED");
						assertThat(health.getDetails().get("peers").toString()).contains("us={state=silent");
					});
					long startNanos = System.nanoTime();
					assertThat(limiter(first).acquireBlocking("api", "user:a").source()).isEqualTo(Source.REMOTE);
					assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).as("less than the deadline")
						.isLessThan(Duration.ofSeconds(4));
				}
				finally {
					us.resume();
				}
				// A report without a reply is not repeated, because the server counted it
				// after it resumed.
				Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
					assertThat(remaining(second, "user:a")).isEqualTo(8);
					assertThat(first.getBean(PeerRegions.class).problem()).isEmpty();
				});
				assertThat(remaining(second, "user:b")).isEqualTo(9);
				assertThat(first.getBean(MeterRegistry.class).get("ratelimit.region.lost").functionCounter().count())
					.isEqualTo(1);
			});
		}
	}

	@Test
	void regionsWithOtherLimitsAreFound() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			region("eu", eu, "us", us)
				.run((first) -> region("us", us, "eu", eu, "ratelimit.rules.api.limit=20/h").run((second) -> {
					for (AssertableApplicationContext region : List.of(first, second)) {
						RegionBoard board = region.getBean(RegionBoard.class);
						Awaitility.await()
							.atMost(Duration.ofSeconds(25))
							.until(() -> board.problems().toString().contains("has other limits"));
						assertThat(region.getBean("rateLimitRegionBoardCheck", Check.class).findings())
							.extracting(Finding::code)
							.containsExactly(FindingCode.REGIONS_DIFFER);
					}
				}));
		}
	}

	@Test
	void regionsWithTheSameLimitsAreFoundAlike() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				Awaitility.await().atMost(Duration.ofSeconds(25)).until(() -> !eu.keys("*{regions}:us").isEmpty());
				Awaitility.await()
					.during(Duration.ofSeconds(2))
					.atMost(Duration.ofSeconds(60))
					.until(() -> first.getBean(RegionBoard.class).problems().isEmpty());
			});
		}
	}

	@Test
	void aPeerThatIsTheOwnRedisIsFound() {
		try (TestRedis eu = TestRedis.start()) {
			region("eu", eu, "us", eu).run((context) -> Awaitility.await()
				.atMost(Duration.ofSeconds(25))
				.until(() -> context.getBean(RegionBoard.class)
					.problems()
					.toString()
					.contains("The Redis of the peer 'us' is that of this region")));
		}
	}

	@Test
	void aRegionThatRejectsReportsIsNoFailureOfTheRulesHere() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			us.command("ACL", "SETUSER", "default", "-evalsha", "-eval");
			region("eu", eu, "us", us).run((context) -> {
				Awaitility.await().untilAsserted(() -> {
					assertThat(limiter(context).acquireBlocking("api", "user:a").source()).isEqualTo(Source.REMOTE);
					assertThat(context.getBean(PeerRegions.class).problem()).isPresent();
				});
				for (int i = 0; i < 10; i++) {
					limiter(context).acquireBlocking("api", "user:b" + i);
					Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> true);
					assertThat(context.getBean(RuleFailures.class).current()).isEmpty();
				}
			});
		}
	}

	@Test
	void aSplitLimitIsAShareInEachRegion() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				List<Integer> allowed = new ArrayList<>();
				for (AssertableApplicationContext region : List.of(first, second)) {
					allowed.add((int) IntStream.range(0, 20)
						.filter((i) -> limiter(region).acquireBlocking("api", "user:a").allowed())
						.count());
				}
				assertThat(allowed).containsExactly(7, 3);
			}, "ratelimit.rules.api.regions=split", "ratelimit.regions.weights.eu=70",
					"ratelimit.regions.weights.us=30");
		}
	}

	@Test
	void aStoreOfTheOwnRegionIsTheDefaultStore() {
		try (TestRedis eu = TestRedis.start(); TestRedis us = TestRedis.start()) {
			inBoth(eu, us, (first, second) -> {
				IntStream.range(0, 5).forEach((i) -> {
					limiter(first).acquireBlocking("api", "user:a");
					limiter(second).acquireBlocking("api", "user:a");
				});
				assertThat(limiter(first).acquireBlocking("api", "user:a").allowed()).isFalse();
				assertThat(limiter(second).acquireBlocking("api", "user:a").allowed()).isFalse();
				assertThat(us.keys("*api*")).isEmpty();
			}, "ratelimit.rules.api.regions=each", "ratelimit.rules.api.store=eu");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.rules.api.store=us | ratelimit.rules.api.store | a shared limit is counted in the default store of each region
					ratelimit.rules.api.algorithm=leaky-bucket | ratelimit.rules.api.algorithm | this algorithm cannot be shared between regions
					ratelimit.rules.api.limit=2 | ratelimit.rules.api | limit
					ratelimit.regions.peers=ap | ratelimit.regions.peers | there is no such store
					ratelimit.regions.peers= | ratelimit.rules.api.regions | there are no other regions
					ratelimit.regions.here= | ratelimit.regions.here | require the name of the region of this instance
					ratelimit.regions.here=EU.1 | ratelimit.regions.here | the name of a region must be a lowercase letter
					ratelimit.regions.here=us | ratelimit.regions.peers | the region of this instance is among them
					ratelimit.regions.interval=20ms | ratelimit.regions.interval | it must be between 50 ms and 10 s
					ratelimit.rules.api.regions=split | ratelimit.rules.api.regions | the regions have no weights
					ratelimit.regions.weights.eu=50 | ratelimit.regions.weights | they are not 100 in total
					ratelimit.regions.weights.us=100 | ratelimit.regions.weights | the region of this instance is not among them
					ratelimit.rules.api.regions=split ratelimit.regions.weights.eu=9 ratelimit.regions.weights.us=91 | ratelimit.rules.api.limit | the share of the region 'eu' is 0 (9 %)
					""")
	void invalidPropertiesAreRejected(String properties, String location, String reason) {
		FailureAnalysis analysis = StartFailure
			.of(plain("ratelimit.store=memory", "ratelimit.stores.us.host=nowhere", "ratelimit.regions.here=eu",
					"ratelimit.regions.peers=us")
				.withPropertyValues(properties.trim().split(" ")));
		assertThat(StartFailure.text(analysis)).contains(location, reason);
	}

}
