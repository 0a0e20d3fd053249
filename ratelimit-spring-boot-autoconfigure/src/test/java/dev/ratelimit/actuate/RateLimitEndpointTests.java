package dev.ratelimit.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.RuleMode;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.LiveChange;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.WrittenRule;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitEndpointTests {

	private final Editions rules = new Editions();

	private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 1000);

	private final RateLimitEngine engine = new RateLimitEngine(this.rules, this.store,
			StoreDeadlines.of(Duration.ofSeconds(1)), "secret", IdempotencySettings.DEFAULT,
			new DecisionObservers(List.of(), List.of()), Time.SYSTEM, WaitQueues.Factory.NONE);

	private final RateLimitEndpoint endpoint = new RateLimitEndpoint(this.engine, this.rules,
			StoreDescription.supplier(this.store, Optional.empty(), OtherStores.NONE), Optional.empty(), List.of(),
			Optional.empty(), new LiveAccess("WRITE", "OPERATE", (principal) -> List.of(), true, Namespaces.NONE),
			ClientAddresses.OF_PEER, (edit) -> {
			});

	@BeforeEach
	void rules() {
		this.rules.adopt(List.of(RateLimitMetricsTests.rule("one", RuleMode.ENFORCE, "10/min"),
				RateLimitMetricsTests.rule("several", RuleMode.SHADOW, "10/s", "100/min")));
	}

	@Test
	void overviewShowsStoreVersionAndAllRules() {
		assertThat(this.endpoint.overview()).containsEntry("enabled", true)
			.containsEntry("version", 1L)
			.containsEntry("store", Map.of("name", "memory", "state", "up"))
			.extractingByKey("rules", InstanceOfAssertFactories.MAP)
			.containsOnlyKeys("one", "several");
	}

	@Test
	void ruleIsShownWithAllThatIsInForce() {
		assertThat(this.endpoint.rule("several")).containsEntry("origin", "code")
			.containsEntry("mode", "shadow")
			.containsEntry("failure", "open")
			.containsEntry("onMissingKey", "shared")
			.containsEntry("key", List.of("caller"))
			.containsEntry("limits",
					List.of(Map.of("limit", "10/s", "burst", 10L, "algorithm", "token-bucket"),
							Map.of("limit", "100/min", "burst", 100L, "algorithm", "token-bucket")))
			.doesNotContainKey("status");
	}

	@Test
	void aRuleShowsTheLayersThatWriteIt() {
		LiveChange change = new LiveChange("redis", 13, "alice", Optional.of(Instant.EPOCH), "launch");
		RuleDefinition limit = new RuleDefinition(Rule.Match.NONE, List.of(),
				new LimitSetDefinition(List.of(LimitDefinition.of("5/s")), OptionalLong.empty(), Optional.empty()),
				Map.of(), RuleOptions.EMPTY);
		RuleLayers base = new RuleLayers(RuleDefinition.EMPTY, List
			.of(new RuleLayer(Origin.Kind.PROPERTY, Map.of("one", new WrittenRule("ratelimit.rules.one", limit)))));
		this.rules.adopt(base.rules(Map.of("one", WrittenRule.live("one", limit, change)), (warning) -> {
		}).rules());
		assertThat(this.endpoint.rule("one")).containsEntry("origin", "property-and-live")
			.containsEntry("layers",
					List.of(Map.of("kind", "property", "location", "ratelimit.rules.one"),
							Map.of("kind", "live", "location", "redis 13: rules.one", "source", "redis", "version", 13L,
									"user", "alice", "time", "1970-01-01T00:00:00Z", "note", "launch")));
	}

	@Test
	void ruleThatIsNotThereIsNothing() throws Exception {
		assertThat(this.endpoint.rule("nope")).isNull();
		assertThat(this.endpoint.status("nope", "user:a")).isNull();
	}

	@Test
	void statusShowsWhatIsLeftAndChargesNothing() throws Exception {
		this.engine.acquire("one", "user:a", 3).block();
		for (int i = 0; i < 2; i++) {
			assertThat(this.endpoint.status("one", "user:a")).containsEntry("subject", "user:a")
				.containsEntry("source", "local")
				.extractingByKey("limits", InstanceOfAssertFactories.list(Map.class))
				.singleElement(InstanceOfAssertFactories.MAP)
				.containsEntry("policy", "one")
				.containsEntry("limit", "10/min")
				.containsEntry("burst", 10L)
				.containsEntry("remaining", 7L)
				.containsEntry("nextUnitMillis", 6000L)
				.containsEntry("resetAfterMillis", 18000L);
		}
	}

	@Test
	void subjectMayHoldSlashes() throws Exception {
		this.engine.acquire("one", "ip:2001:db8::/64", 3).block();
		assertThat(this.endpoint.status("one", "ip:2001:db8::", "64"))
			.extractingByKey("limits", InstanceOfAssertFactories.list(Map.class))
			.singleElement(InstanceOfAssertFactories.MAP)
			.containsEntry("remaining", 7L);
	}

	@Test
	void resetFillsTheBucketsOfOneSubject() throws Exception {
		this.engine.acquire("one", "ip:2001:db8::/64", 3).block();
		this.engine.acquire("one", "user:b", 3).block();
		this.endpoint.reset("one", "ip:2001:db8::", "64");
		assertThat(remaining("ip:2001:db8::/64")).isEqualTo(10);
		assertThat(remaining("user:b")).isEqualTo(7);
	}

	@Test
	void resetOfARuleThatIsNotThereSaysSo() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.endpoint.reset("nope", "user:a"))
			.withMessageContaining("there is no rule 'nope'");
	}

	private long remaining(String subject) {
		return this.engine.peek("one", subject).blockOptional().orElseThrow().verdicts().get(0).remaining();
	}

}
