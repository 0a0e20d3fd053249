package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.StatusSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the end of a request with several rules that share a bucket.
 */
class CompletionTests {

	private static final Refund OF_ERRORS = Refund.of(StatusSet.of(List.of("5xx")));

	private static final Refund OF_BAD_REQUESTS = Refund.of(StatusSet.of(List.of("4xx", "5xx")));

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, this.clock::get));

	@Test
	void chargeIsRefundedIfAllItsRulesRefundIt() {
		use(counting("a").with(RuleOptions.REFUND, OF_ERRORS), counting("b").with(RuleOptions.REFUND, OF_BAD_REQUESTS));
		assertThat(remainingAfter(500, "a", "b")).isEqualTo(10);
		assertThat(remainingAfter(500, "b", "a")).isEqualTo(10);
		assertThat(remainingAfter(404, "a", "b")).isEqualTo(9);
		assertThat(remainingAfter(404, "b", "a")).isEqualTo(8);
		assertThat(remainingAfter(404, "b")).isEqualTo(8);
	}

	@Test
	void chargeStandsIfOneOfItsRulesNeverRefunds() {
		use(counting("a").with(RuleOptions.REFUND, OF_ERRORS), counting("b"));
		assertThat(remainingAfter(500, "a", "b")).isEqualTo(9);
		assertThat(remainingAfter(500, "b", "a")).isEqualTo(8);
		assertThat(remainingAfter(500, "a")).isEqualTo(8);
	}

	@Test
	void aRuleThatOnlyWatchesHasNoSay() {
		use(counting("a").with(RuleOptions.REFUND, OF_ERRORS), counting("b").mode(RuleMode.SHADOW));
		assertThat(remainingAfter(500, "a", "b")).isEqualTo(10);
		assertThat(remainingAfter(500, "b", "a")).isEqualTo(10);
	}

	@Test
	void aSlotIsHeldByTheConnectionIfOneRuleHoldsItSo() {
		use(slots("a").with(RuleOptions.HOLD, Holder.CONNECTION), slots("b"));
		for (List<String> rules : List.of(List.of("a", "b"), List.of("b", "a"))) {
			Completion completion = decide(rules);
			assertThat(completion.holdsConnections()).isTrue();
			completion.freeRequest();
			assertThat(remaining("b")).isEqualTo(2);
			completion.free(200);
			assertThat(remaining("b")).isEqualTo(3);
		}
	}

	@Test
	void aRuleWithSlotsRefundsItsOtherLimits() {
		use(RuleBuilder.rule("a").key("ip").limits("10/d", "3 concurrent").with(RuleOptions.REFUND, OF_ERRORS));
		Completion completion = decide(List.of("a"));
		completion.settle(500);
		completion.free(500);
		assertThat(remainingOfAll("a")).containsExactly(10L, 3L);
		completion = decide(List.of("a"));
		completion.settle(200);
		completion.free(200);
		assertThat(remainingOfAll("a")).containsExactly(9L, 3L);
	}

	@Test
	void aRuleWithSlotsOnlyRefundsNothing() {
		use(slots("a").with(RuleOptions.REFUND, OF_ERRORS));
		Completion completion = decide(List.of("a"));
		completion.settle(500);
		assertThat(remaining("a")).as("while the handler still runs").isEqualTo(2);
		completion.free(500);
		assertThat(remaining("a")).isEqualTo(3);
	}

	// Several attempts of a request may have the status of its response.
	@Test
	void aRequestIsStruckOnceHoweverOftenItIsSettled() {
		use(counting("a"));
		List<Integer> struck = new ArrayList<>();
		Strikes strikes = new Strikes() {

			@Override
			public void decided(Decision decision) {
			}

			@Override
			public boolean countsStatus() {
				return true;
			}

			@Override
			public void sent(int status) {
				struck.add(status);
			}

		};
		Completion completion = Completion.counting(this.engine.decide(List.of(), Optional.empty(), 1_000_000).join(),
				strikes);
		completion.settle(401);
		completion.settle(401);
		assertThat(struck).containsExactly(401);
	}

	private static RuleBuilder counting(String id) {
		return RuleBuilder.rule(id).key("ip").limits("10/d").bucket("shared");
	}

	private static RuleBuilder slots(String id) {
		return RuleBuilder.rule(id).key("ip").algorithm("concurrency").limits("3").bucket("shared");
	}

	private void use(RuleBuilder... rules) {
		this.engine.editions().adopt(Arrays.stream(rules).map(RuleBuilder::build).toList());
	}

	private long remainingAfter(int status, String... rules) {
		decide(List.of(rules)).settle(status);
		return remaining(rules[0]);
	}

	private Completion decide(List<String> rules) {
		List<AppliedRule> applied = rules.stream()
			.map((id) -> AppliedRule.of(this.engine.rule(id).orElseThrow(), "ip:1.2.3.4", 1))
			.toList();
		Decision decision = this.engine.decide(applied, Optional.empty(), Long.MAX_VALUE / 2).join();
		return Completion.of(decision, applied);
	}

	private long remaining(String rule) {
		return remainingOfAll(rule).get(0);
	}

	private List<Long> remainingOfAll(String rule) {
		return this.engine.peek(rule, "ip:1.2.3.4")
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.stream()
			.map((verdict) -> verdict.remaining())
			.toList();
	}

}
