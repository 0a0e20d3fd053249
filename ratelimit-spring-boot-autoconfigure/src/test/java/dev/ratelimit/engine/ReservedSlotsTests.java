package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Decision;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.Reserve;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests slots that are reserved for important requests, in one bucket for all levels.
 */
class ReservedSlotsTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	private static RuleBuilder slots(String limit) {
		return RuleBuilder.rule("slots").key("global").limits(limit).algorithm("concurrency");
	}

	private static RuleBuilder reserving(String limit) {
		return slots(limit).with(RuleOptions.RESERVE, Reserve.parse(Map.of("critical", "20%", "high", "2")));
	}

	private void use(RuleBuilder rule) {
		this.engine.editions().adopt(List.of(rule.build()));
	}

	private Decision take(Level level) {
		CompiledRule rule = this.engine.rule("slots").orElseThrow();
		return this.engine
			.decide(List.of(AppliedRule.of(rule, "global", 1).at(level)), Optional.empty(), TimeUnit.SECONDS.toNanos(1))
			.join();
	}

	private List<Decision> takeAll(Level level) {
		List<Decision> taken = new ArrayList<>();
		Decision next = take(level);
		while (next.allowed()) {
			taken.add(next);
			next = take(level);
		}
		assertThat(next.verdicts().get(0).remaining()).isZero();
		return taken;
	}

	@Test
	void importantRequestsTakeWhatOthersMustLeave() {
		use(reserving("10"));
		List<Decision> low = takeAll(Level.LOW);
		assertThat(low).hasSize(6);
		assertThat(low.get(0).verdicts().get(0)).satisfies((verdict) -> {
			assertThat(verdict.remaining()).isEqualTo(5);
			assertThat(verdict.policy().capacity()).isEqualTo(6);
		});
		assertThat(take(Level.NORMAL).allowed()).isFalse();
		assertThat(takeAll(Level.HIGH)).hasSize(2);
		assertThat(takeAll(Level.CRITICAL)).hasSize(2);
		// A released slot is available to the highest levels first.
		low.get(0).reservation().release();
		assertThat(take(Level.NORMAL).allowed()).isFalse();
		assertThat(take(Level.HIGH).allowed()).isFalse();
		assertThat(take(Level.CRITICAL).allowed()).isTrue();
	}

	@Test
	void requestsOfCodeAreNormal() {
		use(reserving("10"));
		for (int i = 0; i < 6; i++) {
			assertThat(this.engine.acquire("slots", "global").blockOptional().orElseThrow().allowed()).isTrue();
		}
		assertThat(this.engine.acquireBlocking("slots", "global").allowed()).isFalse();
		assertThat(take(Level.CRITICAL).allowed()).isTrue();
	}

	@Test
	void aChangeKeepsWhatIsHeld() {
		use(slots("10"));
		takeAll(Level.LOW);
		use(reserving("15"));
		assertThat(take(Level.LOW).allowed()).isFalse();
		assertThat(takeAll(Level.HIGH)).hasSize(2);
		assertThat(takeAll(Level.CRITICAL)).hasSize(3);
		use(reserving("15").with(RuleOptions.MODE, RuleMode.SHADOW));
		Decision watched = take(Level.LOW);
		assertThat(watched.allowed()).isTrue();
		assertThat(watched.verdicts().get(0).policy()).satisfies((policy) -> {
			assertThat(policy.shadow()).isTrue();
			assertThat(policy.capacity()).isEqualTo(10);
		});
	}

	@Test
	void allLevelsHaveTheBucketsOfTheRuleAndItsOtherLimits() {
		use(reserving("10").limit(new LimitDefinition("100/min", OptionalLong.empty(), Optional.of("token-bucket")))
			.plan("paid", "50"));
		CompiledRule rule = this.engine.rule("slots").orElseThrow();
		CompiledLimits own = rule.own();
		for (Level level : Level.values()) {
			assertThat(own.of(level).families()).extracting(BucketFamily::label)
				.isEqualTo(own.families().stream().map(BucketFamily::label).toList());
			assertThat(own.of(level).families().get(1)).isSameAs(own.families().get(1));
			assertThat(own.include(own.of(level))).isTrue();
		}
		assertThat(rule.plans().get("paid").of(Level.NORMAL).capacity()).isEqualTo(38);
		assertThat(own.include(rule.plans().get("paid"))).isFalse();
	}

	@Test
	void withoutAReserveNothingIsThereForLevels() {
		use(slots("10"));
		CompiledLimits own = this.engine.rule("slots").orElseThrow().own();
		assertThat(own.levels()).isEmpty();
		assertThat(own.of(Level.LOW)).isSameAs(own);
	}

}
