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
			new Rule.Match(List.of("/a"), List.of("/a/b"), List.of("GET"), true), List.of("ip"),
			new LimitSetDefinition(List.of(LimitDefinition.of("1/s")), OptionalLong.of(3), Optional.of("token-bucket")),
			Map.of("paid", Definitions.limits("5/s").quota()), Map.of("acme.com", Definitions.limits("6/s").quota()),
			RuleOptions.EMPTY.with(RuleOptions.COST, "2")
				.with(RuleOptions.FAILURE, FailurePolicy.CLOSED)
				.with(RuleOptions.MODE, RuleMode.SHADOW)
				.with(RuleOptions.ON_MISSING_KEY, MissingKeyPolicy.DENY)
				.with(RuleOptions.PHASE, Phase.LATE)
				.with(RuleOptions.STATUS, 418)
				.with(RuleOptions.IDEMPOTENCY, true)
				.with(RuleOptions.REFUND, Refund.NEVER)
				.with(RuleOptions.REPLACES, List.of("general"))
				.with(RuleOptions.BUCKET, "shared"));

	private static final RuleDefinition OTHER = new RuleDefinition(
			new Rule.Match(List.of("/x"), List.of("/x/y"), List.of("POST"), true), List.of("user"),
			new LimitSetDefinition(List.of(LimitDefinition.of("9/h")), OptionalLong.of(30), Optional.of("gcra")),
			Map.of("paid", Definitions.limits("7/s").quota()), Map.of("acme.com", Definitions.limits("8/s").quota()),
			RuleOptions.EMPTY.with(RuleOptions.COST, "1")
				.with(RuleOptions.FAILURE, FailurePolicy.OPEN)
				.with(RuleOptions.MODE, RuleMode.OFF)
				.with(RuleOptions.ON_MISSING_KEY, MissingKeyPolicy.SKIP)
				.with(RuleOptions.PHASE, Phase.EARLY)
				.with(RuleOptions.STATUS, 503)
				.with(RuleOptions.IDEMPOTENCY, false)
				.with(RuleOptions.REFUND, Refund.of(StatusSet.of(List.of("5xx"))))
				.with(RuleOptions.REPLACES, List.of("other"))
				.with(RuleOptions.BUCKET, "own"));

	@Test
	void ownSettingsOverrideTheBase() {
		assertThat(FULL.over(OTHER)).isEqualTo(FULL);
		assertThat(OTHER.over(FULL)).isEqualTo(OTHER);
	}

	@Test
	void missingSettingsComeFromTheBase() {
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

	@Test
	void plansAreMergedByName() {
		RuleDefinition own = Definitions.plan("paid", "20/min");
		RuleDefinition both = own.over(Definitions.plan("trial", "1/min")).over(Definitions.plan("paid", "10/min"));
		assertThat(both.plans()).containsOnlyKeys("paid", "trial").containsEntry("paid", own.plans().get("paid"));
	}

	@Test
	void overridesAreMergedByValue() {
		RuleDefinition base = new RuleDefinition(Rule.Match.NONE, List.of(), LimitSetDefinition.EMPTY, Map.of(),
				Map.of("other", Definitions.limits("1/s").quota(), "acme.com", Definitions.limits("2/s").quota()),
				RuleOptions.EMPTY);
		assertThat(FULL.over(base).overrides()).containsOnlyKeys("acme.com", "other")
			.containsEntry("acme.com", FULL.overrides().get("acme.com"));
	}

	@Test
	void burstAloneChangesTheCapacityOfAPlanOfTheBase() {
		RuleDefinition own = new RuleDefinition(Rule.Match.NONE, List.of(), LimitSetDefinition.EMPTY,
				Map.of("paid", Definitions.burst(5).quota()), RuleOptions.EMPTY);
		assertThat(own.over(Definitions.plan("paid", "10/min")).plans().get("paid"))
			.isEqualTo(Definitions.burst(5, LimitDefinition.of("10/min")).quota());
	}

	@Test
	void isWholeWithALimitAndAWayToReachIt() {
		RuleDefinition limit = Definitions.limits("1/s");
		assertThat(limit.isWhole()).isFalse();
		assertThat(with(List.of("/a"), false).isWhole()).isFalse();
		assertThat(with(List.of("/a"), false).over(limit).isWhole()).isTrue();
		assertThat(with(List.of(), true).over(limit).isWhole()).isTrue();
	}

	private static RuleDefinition with(List<String> paths, boolean programmatic) {
		return new RuleDefinition(new Rule.Match(paths, List.of(), List.of(), programmatic), List.of(),
				LimitSetDefinition.EMPTY, Map.of(), RuleOptions.EMPTY);
	}

}
