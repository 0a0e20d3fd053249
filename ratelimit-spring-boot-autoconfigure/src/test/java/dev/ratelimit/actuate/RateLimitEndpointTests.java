package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitEndpointTests {

	private final Editions rules = new Editions();

	private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 1000);

	private final RateLimitEngine engine = new RateLimitEngine(this.rules, this.store, Duration.ofSeconds(1), "secret",
			IdempotencySettings.DEFAULT, List.of(), Time.SYSTEM);

	private final RateLimitEndpoint endpoint = new RateLimitEndpoint(this.engine, this.rules, this.store,
			Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

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
		assertThat(this.endpoint.rule("several")).containsEntry("origin", "property")
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
