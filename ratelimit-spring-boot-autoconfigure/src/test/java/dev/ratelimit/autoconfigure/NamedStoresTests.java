package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.Source;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.redis.RedisRuleSource;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.RuleNumbers;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests stores with names, each in a separate Redis.
 */
@Tag("redis")
@ExtendWith(OutputCaptureExtension.class)
class NamedStoresTests {

	private static final Duration DEADLINE = Duration.ofSeconds(5);

	private static ApplicationContextRunner application(TestRedis home, TestRedis acme, String... properties) {
		return plain("ratelimit.store=redis", "ratelimit.redis.host=" + home.host(),
				"ratelimit.redis.port=" + home.port(), "ratelimit.stores.acme.host=" + acme.host(),
				"ratelimit.stores.acme.port=" + acme.port())
			.withPropertyValues(properties);
	}

	private static ApplicationContextRunner plain(String... properties) {
		return EnableAuto.plain()
			.withPropertyValues("ratelimit.deadline=" + DEADLINE, "ratelimit.warm-up=0", "spring.application.name=shop",
					"ratelimit.rules.far.limit=5/h", "ratelimit.rules.far.programmatic=true",
					"ratelimit.rules.far.key=user", "ratelimit.rules.far.store=acme", "ratelimit.rules.near.limit=3/h",
					"ratelimit.rules.near.programmatic=true", "ratelimit.rules.near.key=user")
			.withPropertyValues(properties);
	}

	private static List<Boolean> decisions(RateLimiter limiter, String rule, String subject, int count) {
		return IntStream.range(0, count).mapToObj((i) -> limiter.acquireBlocking(rule, subject).allowed()).toList();
	}

	private static long remaining(RateLimiter limiter, String rule, String subject) {
		return limiter.acquireBlocking(rule, subject, 0).verdicts().get(0).remaining();
	}

	// The breaker of a server that was paused may still be open.
	private static void awaitRemaining(RateLimiter limiter, String rule, long units) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> limiter.acquireBlocking(rule, "user:a", 0).source() == Source.REMOTE);
		assertThat(remaining(limiter, rule, "user:a")).isEqualTo(units);
	}

	@Test
	void aRuleIsCountedInTheStoreThatItNames() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme).run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(decisions(limiter, "far", "user:a", 6)).containsExactly(true, true, true, true, true, false);
				assertThat(decisions(limiter, "near", "user:a", 4)).containsExactly(true, true, true, false);
				assertThat(home.keys("*far*")).isEmpty();
				assertThat(acme.keys("*far*")).isNotEmpty();
				assertThat(home.keys("*near*")).isNotEmpty();
				assertThat(acme.keys("*near*")).isEmpty();
			});
		}
	}

	@Test
	void anOverrideIsCountedInTheStoreThatItNames() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, "ratelimit.rules.near.overrides.big.limit=4/h",
					"ratelimit.rules.near.overrides.big.store=acme")
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					assertThat(decisions(limiter, "near", "user:big", 5)).containsExactly(true, true, true, true,
							false);
					assertThat(decisions(limiter, "near", "user:small", 4)).containsExactly(true, true, true, false);
					assertThat(acme.keys("*big*")).isNotEmpty();
					assertThat(home.keys("*big*")).isEmpty();
				});
		}
	}

	@Test
	void aPlanNamesItsStore() {
		plain("ratelimit.store=memory", "ratelimit.stores.acme.host=nowhere",
				"ratelimit.rules.near.plans.pro.limit=9/h", "ratelimit.rules.near.plans.pro.store=acme",
				"ratelimit.rules.near.plans.basic.limit=2/h")
			.run((context) -> assertThat(context.getBean(Editions.class).current().compiled().get("near").families())
				.extracting((family) -> family.policy().limit().orElseThrow() + " in " + family.store())
				.containsExactlyInAnyOrder("3/h in default", "9/h in acme", "2/h in default"));
	}

	@Test
	void aRequestOnTwoStoresIsChargedOnBothOrOnNone() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme).run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				List<RuleCharge> both = List.of(RuleCharge.of("far", "user:a", 1), RuleCharge.of("near", "user:a", 1));
				List<Boolean> allowed = IntStream.range(0, 5)
					.mapToObj((i) -> limiter.acquireBlocking(both).allowed())
					.toList();
				assertThat(allowed).containsExactly(true, true, true, false, false);
				Awaitility.await().untilAsserted(() -> assertThat(remaining(limiter, "far", "user:a")).isEqualTo(2));
				Decision last = limiter.acquireBlocking(List.of(RuleCharge.of("far", "user:a", 2)));
				last.reservation().cancel();
				Awaitility.await().untilAsserted(() -> assertThat(remaining(limiter, "far", "user:a")).isEqualTo(2));
				assertThat(remaining(limiter, "near", "user:a")).isZero();
			});
		}
	}

	@Test
	void aRejectionByThisInstanceCallsNoStore() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, "ratelimit.rules.node.limit=2/h", "ratelimit.rules.node.programmatic=true",
					"ratelimit.rules.node.key=global", "ratelimit.rules.node.store=local")
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					List<RuleCharge> all = List.of(RuleCharge.of("far", "user:a", 1),
							RuleCharge.of("near", "user:a", 1), RuleCharge.of("node", "global", 1));
					assertThat(limiter.acquireBlocking(all).allowed()).isTrue();
					assertThat(limiter.acquireBlocking(all).allowed()).isTrue();
					// A call would wait for its deadline, and the servers would charge it
					// after they resume.
					home.pause();
					acme.pause();
					long startNanos = System.nanoTime();
					Decision rejected;
					try {
						rejected = limiter.acquireBlocking(all);
						assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(DEADLINE);
					}
					finally {
						home.resume();
						acme.resume();
					}
					assertThat(rejected.allowed()).isFalse();
					assertThat(rejected.verdicts()).filteredOn((verdict) -> verdict.outcome() == Outcome.REJECTED)
						.extracting((verdict) -> verdict.policy().ruleId())
						.containsExactly("node");
					awaitRemaining(limiter, "near", 1);
					awaitRemaining(limiter, "far", 3);
					assertThat(home.keys("*node*")).isEmpty();
				});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.denial-memory=1s", "ratelimit.denial-memory=0",
			"ratelimit.regions.here=eu ratelimit.regions.peers=acme" })
	void aLimitOfThisInstanceIsDecidedOnTheCallingThread(String properties) {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, properties.split(" "))
				.withPropertyValues("ratelimit.rules.node.limit=3/h", "ratelimit.rules.node.programmatic=true",
						"ratelimit.rules.node.key=user", "ratelimit.rules.node.store=local")
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					assertThat(decisions(limiter, "node", "user:a", 1)).containsExactly(true);
					Decision decision = limiter.acquireBlocking("node", "user:a");
					assertThat(decision.verdicts()).isInstanceOf(LocalCharge.class);
					assertThat(remaining(limiter, "node", "user:a")).isEqualTo(1);
					decision.reservation().cancel();
					assertThat(remaining(limiter, "node", "user:a")).isEqualTo(2);
					assertThat(decisions(limiter, "node", "user:a", 3)).containsExactly(true, true, false);
					assertThat(limiter.acquireBlocking("near", "user:a").verdicts()).isNotInstanceOf(LocalCharge.class);
					assertThat(limiter.acquireBlocking("near", "user:a").source()).isEqualTo(Source.REMOTE);
				});
		}
	}

	@Test
	void unavailableStoreDoesNotAffectOtherStores() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme).withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(limiter.acquireBlocking("far", "user:a").source()).isEqualTo(Source.REMOTE);
				acme.kill();
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> limiter.acquireBlocking("far", "user:a").source() == Source.FALLBACK);
				assertThat(limiter.acquireBlocking("near", "user:a").source()).isEqualTo(Source.REMOTE);
				Awaitility.await().untilAsserted(() -> {
					limiter.acquireBlocking("far", "user:a");
					Health health = context.getBean("ratelimitHealthIndicator", HealthIndicator.class).health();
					assertThat(health.getStatus().getCode()).isEqualTo("DEGRADED");
					assertThat(health.getDetails()).containsEntry("circuit", "closed");
					assertThat(health.getDetails().get("stores").toString()).contains("acme={state=degraded");
				});
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(meters.get("ratelimit.store.errors").tag("store", "acme").functionCounters())
					.anyMatch((counter) -> counter.count() > 0);
				assertThat(meters.get("ratelimit.store.errors").tag("store", "redis").functionCounters())
					.allMatch((counter) -> counter.count() == 0);
			});
		}
	}

	@Test
	void theStartWaitsForNoOtherStore() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			acme.kill();
			application(home, acme, "ratelimit.store=redis").run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(OtherStores.class);
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(limiter.acquireBlocking("far", "user:a").source()).isEqualTo(Source.FALLBACK);
				assertThat(limiter.acquireBlocking("near", "user:a").source()).isEqualTo(Source.REMOTE);
			});
		}
	}

	@Test
	void aFarStoreHasADeadlineOfItsOwn() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, "ratelimit.deadline=100ms", "ratelimit.stores.acme.deadline=8s").run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				limiter.acquireBlocking("far", "user:a");
				acme.pause();
				CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(acme::resume);
				assertThat(limiter.acquire("far", "user:a").block(Duration.ofSeconds(10)).source())
					.isEqualTo(Source.REMOTE);
			});
		}
	}

	@Test
	void aClusterIsAStoreToo() {
		try (TestRedis home = TestRedis.start()) {
			TestCluster cluster = TestCluster.shared();
			plain("ratelimit.redis.host=" + home.host(), "ratelimit.redis.port=" + home.port(),
					"ratelimit.stores.acme.cluster.nodes=" + cluster.addresses(), "ratelimit.rules.wide.limit=99/h",
					"ratelimit.rules.wide.programmatic=true", "ratelimit.rules.wide.store=acme")
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					String subject = "user:" + System.nanoTime();
					List<RuleCharge> all = List.of(RuleCharge.of("far", subject, 2),
							RuleCharge.of("wide", subject + "x", 1), RuleCharge.of("near", subject, 1));
					assertThat(limiter.acquireBlocking(all).allowed()).isTrue();
					assertThat(limiter.acquireBlocking(all).allowed()).isTrue();
					assertThat(limiter.acquireBlocking(all).allowed()).isFalse();
					Awaitility.await().untilAsserted(() -> {
						assertThat(remaining(limiter, "far", subject)).isOne();
						assertThat(remaining(limiter, "wide", subject + "x")).isEqualTo(97);
						assertThat(remaining(limiter, "near", subject)).isOne();
					});
				});
		}
	}

	@Test
	void inMemoryAllStoresAreApart() {
		plain("ratelimit.store=memory", "ratelimit.stores.acme.host=nowhere",
				"ratelimit.rules.near.overrides.big.limit=1/h", "ratelimit.rules.near.overrides.big.store=local")
			.run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(decisions(limiter, "far", "user:a", 6)).endsWith(true, false);
				assertThat(decisions(limiter, "near", "user:a", 4)).endsWith(true, false);
				assertThat(decisions(limiter, "near", "user:big", 2)).containsExactly(true, false);
			});
	}

	@Test
	void aLimitThatMovesToAnotherStoreBeginsAnew() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme).run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(decisions(limiter, "near", "user:a", 4)).endsWith(true, false);
				Editions editions = context.getBean(Editions.class);
				editions.adopt(List.of(in("acme", editions)));
				assertThat(decisions(limiter, "near", "user:a", 4)).containsExactly(true, true, true, false);
				editions.adopt(List.of(in("default", editions)));
				assertThat(decisions(limiter, "near", "user:a", 1)).containsExactly(false);
			});
		}
	}

	private static Rule in(String store, Editions editions) {
		Rule rule = editions.current().rules().rules().get("near");
		RuleNumbers numbers = rule.numbers();
		LimitSet moved = new LimitSet(LimitSet.Kind.LIMITED, rule.limits(), store);
		return new Rule(rule.id(), rule.origin(), rule.match(), rule.key(), new RuleNumbers(moved, numbers.plans(),
				numbers.overrides(), numbers.cost(), numbers.bucket(), numbers.consistency(), numbers.reserve()),
				rule.reaction(), rule.access(), rule.others());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.rules.near.store=acne                                               | ratelimit.rules.near.store | there is no such store; the stores are acme, default, local
					ratelimit.rules.near.plans.pro.limit=9/h ratelimit.rules.near.plans.pro.store=eu | ratelimit.rules.near.plans.pro.store | there is no such store
					ratelimit.rules.near.store=local ratelimit.rules.near.consistency=leased      | ratelimit.rules.near.store | leases save calls of Redis, and this store has none
					ratelimit.stores.default.host=a                                               | ratelimit.stores | this name is that of a store that is always there
					ratelimit.stores.local.host=a                                                 | ratelimit.stores | this name is that of a store that is always there
					ratelimit.stores.Acme_2.host=a                                                | ratelimit.stores | the name of a store must be a lowercase letter
					ratelimit.stores.eu.port=1                                                    | ratelimit.stores.eu | it does not say where its Redis is
					ratelimit.stores.eu.host=a ratelimit.stores.eu.deadline=0                     | ratelimit.stores.eu.deadline | it must be between 1 ms and 1 h
					ratelimit.rules.near.bucket=b ratelimit.rules.far.bucket=b ratelimit.rules.far.limit=3/h | .bucket | shares the bucket and has other limits
					""")
	void invalidPropertiesAreRejected(String properties, String location, String reason) {
		FailureAnalysis analysis = StartFailure.of(plain("ratelimit.store=memory", "ratelimit.stores.acme.host=nowhere")
			.withPropertyValues(properties.trim().split(" ")));
		assertThat(StartFailure.text(analysis)).contains(location, reason);
	}

	@Test
	void liveRulesCanBeInAnotherStore() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, "ratelimit.live.source=redis", "ratelimit.live.store=acme").run((context) -> {
				context.getBean(RedisRuleSource.class)
					.write(new RuleEdit(0, Map.of("near", Map.of("limit", "1/h", "store", "acme")), Map.of(), "alice",
							"", List.of()));
				RateLimiter limiter = context.getBean(RateLimiter.class);
				String limits = "limit=1/h, burst=1, algorithm=token-bucket, store=acme";
				Awaitility.await()
					.untilAsserted(() -> assertThat(
							RuleDescription.of(context.getBean(Editions.class).current().rules().rules().get("near"))
								.get("limits")
								.toString())
						.contains(limits));
				assertThat(decisions(limiter, "near", "user:a", 2)).containsExactly(true, false);
				assertThat(home.keys("*")).noneMatch((key) -> key.contains("near") || key.contains("{live}"));
				assertThat(acme.keys("*{live}*")).isNotEmpty();
			});
		}
	}

	@Test
	void liveRulesRequireTheirStore() {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			FailureAnalysis analysis = StartFailure
				.of(application(home, acme, "ratelimit.live.source=redis", "ratelimit.live.store=eu"));
			assertThat(StartFailure.text(analysis)).contains("'ratelimit.live.store' is 'eu'",
					"Use the name of a store below 'ratelimit.stores'");
		}
	}

	@Test
	void storesWithOneAddressAreNamedAtStartup(CapturedOutput output) {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, home).run((context) -> assertThat(output)
				.contains("The stores 'default' and 'acme' have the same address, so that they are one Redis: they fail"
						+ " together. Correct the address below 'ratelimit.stores.acme', or remove this store."));
			String twin = "ratelimit.stores.twin.url=redis://" + acme.host() + ":" + acme.port();
			application(home, acme, twin)
				.run((context) -> assertThat(output).contains("The stores 'acme' and 'twin' have the same address"));
		}
	}

	@Test
	void otherDatabasesOfOneServerAreOtherStores(CapturedOutput output) {
		try (TestRedis home = TestRedis.start()) {
			application(home, home, "ratelimit.stores.acme.database=1")
				.run((context) -> assertThat(output).doesNotContain("have the same address"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "1s, false", "1001ms, true" })
	void aLongDeadlineIsNamedAtStartup(String deadline, boolean named, CapturedOutput output) {
		try (TestRedis home = TestRedis.start(); TestRedis acme = TestRedis.start()) {
			application(home, acme, "ratelimit.stores.acme.deadline=" + deadline).run((context) -> assertThat(
					output.toString().contains("'ratelimit.stores.acme.deadline' is 1001 ms: while"))
				.isEqualTo(named));
		}
	}

	@Test
	void otherStoresRequireADefaultOneInRedis() {
		FailureAnalysis analysis = StartFailure.of(plain("ratelimit.stores.acme.host=nowhere"));
		assertThat(StartFailure.text(analysis)).contains("'ratelimit.stores' is set",
				"Set 'ratelimit.redis.host', or remove 'ratelimit.stores'");
	}

	@Test
	void rulesWithAStoreThatIsNotThereDoNotBecomeActive() {
		plain("ratelimit.store=memory", "ratelimit.stores.acme.host=nowhere").run((context) -> {
			Editions editions = context.getBean(Editions.class);
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> editions.adopt(List.of(in("eu", editions))))
				.withMessageContaining("there is no such store");
			assertThat(context.getBean(RateLimiter.class).acquireBlocking("near", "user:a").allowed()).isTrue();
		});
	}

}
