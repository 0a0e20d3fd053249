package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SlotClockTests {

	private final Rule slots = RuleBuilder.rule("slots").limits("3").algorithm("concurrency").build();

	@Test
	void slotsNeedOneClockForAllInstances() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> SlotClock.require(RuleSet.of(1, List.of(this.slots)), RedisClock.CLIENT))
			.withMessageStartingWith(
					"ratelimit.rules.slots: it limits concurrent requests, and 'ratelimit.redis.clock'");
		assertThatCode(() -> SlotClock.require(RuleSet.of(1, List.of(this.slots)), RedisClock.SERVER))
			.doesNotThrowAnyException();
	}

	@Test
	void otherRulesAndDisabledOnesNeedNone() {
		Rule search = RuleBuilder.rule("search").limits("3/min").build();
		assertThatCode(
				() -> SlotClock.require(RuleSet.of(1, List.of(search, this.slots.in(RuleMode.OFF))), RedisClock.CLIENT))
			.doesNotThrowAnyException();
	}

}
