package dev.ratelimit;

import java.util.List;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 60_000_000_000L));

	@ParameterizedTest
	@CsvSource({ "alice, user:alice", "vip|joe, user:vip%7cjoe", "bob%20smith, user:bob%2520smith",
			"bob smith, user:bob%20smith", "~none, user:%7enone" })
	void namesAreEscaped(String name, String subject) {
		assertThat(Subject.user(name)).isEqualTo(subject).isEqualTo(Subject.of("user", name));
	}

	@Test
	void partsAreJoinedAsRequestsJoinThem() {
		assertThat(Subject.join(Subject.user("a|b"), Subject.of("path", "42"))).isEqualTo("user:a%7cb|path:42");
		assertThat(Subject.user("x".repeat(129))).startsWith("user:~sha256:");
	}

	@Test
	void aNameIsNoWayToTheLimitOrTheBucketOfAnother() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("api").limits("2/d").key("user").override("vip", "50/d").build()));
		for (String name : List.of("vip|joe", "bob smith", "bob%20smith", "~none")) {
			assertThat(List.of(allowed(name), allowed(name), allowed(name))).as(name)
				.containsExactly(true, true, false);
		}
		assertThat(List.of(allowed("vip"), allowed("vip"), allowed("vip"))).containsOnly(true);
	}

	private boolean allowed(String name) {
		Decision decision = this.engine.acquire("api", Subject.user(name)).block();
		assertThat(decision).isNotNull();
		return decision.allowed();
	}

}
