package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RuleDefinitionTests {

	private static final RuleDefinition FULL = new RuleDefinition(
			new Rule.Match(List.of("/a"), List.of("/a/b"), List.of("GET")), List.of("ip"),
			new LimitSetDefinition(List.of(LimitDefinition.of("1/s")), OptionalLong.of(3), Optional.of("token-bucket")),
			Map.of("paid", LimitSetDefinition.EMPTY),
			RuleOptions.EMPTY.with(RuleOptions.COST, "2")
				.with(RuleOptions.FAILURE, FailurePolicy.CLOSED)
				.with(RuleOptions.MODE, RuleMode.SHADOW)
				.with(RuleOptions.ON_MISSING_KEY, MissingKeyPolicy.DENY)
				.with(RuleOptions.PHASE, Phase.LATE)
				.with(RuleOptions.STATUS, 418)
				.with(RuleOptions.IDEMPOTENCY, true)
				.with(RuleOptions.REFUND, Refund.NEVER)
				.with(RuleOptions.REPLACES, List.of("general"))
				.with(RuleOptions.BUCKET, "shared"),
			true);

	private static final RuleDefinition OTHER = new RuleDefinition(
			new Rule.Match(List.of("/x"), List.of("/x/y"), List.of("POST")), List.of("user"),
			new LimitSetDefinition(List.of(LimitDefinition.of("9/h")), OptionalLong.of(30), Optional.of("gcra")),
			Map.of("free", LimitSetDefinition.EMPTY),
			RuleOptions.EMPTY.with(RuleOptions.COST, "1")
				.with(RuleOptions.FAILURE, FailurePolicy.OPEN)
				.with(RuleOptions.MODE, RuleMode.OFF)
				.with(RuleOptions.ON_MISSING_KEY, MissingKeyPolicy.SKIP)
				.with(RuleOptions.PHASE, Phase.EARLY)
				.with(RuleOptions.STATUS, 503)
				.with(RuleOptions.IDEMPOTENCY, false)
				.with(RuleOptions.REFUND, Refund.of(StatusSet.of(List.of("5xx"))))
				.with(RuleOptions.REPLACES, List.of("other"))
				.with(RuleOptions.BUCKET, "own"),
			true);

	@Test
	void whatIsWrittenGoesBeforeTheBase() {
		assertThat(FULL.over(OTHER)).isEqualTo(FULL);
		assertThat(OTHER.over(FULL)).isEqualTo(OTHER);
	}

	@Test
	void whatIsLeftOutComesFromTheBase() {
		assertThat(RuleDefinition.EMPTY.over(FULL)).isEqualTo(FULL);
		assertThat(FULL.over(RuleDefinition.EMPTY)).isEqualTo(FULL);
	}

	@Test
	void burstOfTheBaseDoesNotOutliveItsLimits() {
		RuleDefinition own = Definitions.limits("10/min");
		assertThat(own.over(FULL).quota().burst()).isEmpty();
		assertThat(own.over(FULL).quota().limits()).containsExactly(LimitDefinition.of("10/min"));
	}

	@Test
	void burstAloneChangesTheCapacityOfTheLimitsOfTheBase() {
		RuleDefinition own = Definitions.burst(5);
		assertThat(own.over(FULL).quota().burst()).hasValue(5);
		assertThat(own.over(FULL).quota().limits()).isEqualTo(FULL.quota().limits());
	}

}
