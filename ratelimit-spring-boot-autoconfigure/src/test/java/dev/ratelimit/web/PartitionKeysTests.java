package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionKeysTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 60_000_000_000L));

	@Test
	void callersAreToldApartAndNotNamed() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("a").limits("1/min").build()));
		PartitionKeys keys = PartitionKeys.keyed("secret");
		String alice = keys.of(List.of(use("user:alice"))).get("a");
		assertThat(alice).matches(":[A-Za-z0-9+/]{16}:").isEqualTo(keys.of(List.of(use("user:alice"))).get("a"));
		assertThat(new String(Base64.getDecoder().decode(alice.replace(":", "")), StandardCharsets.ISO_8859_1))
			.doesNotContain("alice");
		assertThat(alice).isNotEqualTo(keys.of(List.of(use("user:bob"))).get("a"))
			.isNotEqualTo(PartitionKeys.keyed("other").of(List.of(use("user:alice"))).get("a"));
		assertThat(PartitionKeys.NONE.of(List.of(use("user:alice")))).isEqualTo(Map.of());
	}

	private AppliedRule use(String subject) {
		return AppliedRule.of(this.engine.rule("a").orElseThrow(), subject, 1);
	}

}
