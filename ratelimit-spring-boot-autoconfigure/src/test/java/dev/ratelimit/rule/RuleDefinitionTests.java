package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RuleDefinitionTests {

	private static final RuleDefinition FULL = new RuleDefinition(
			new Rule.Match(List.of("/a"), List.of("/a/b"), List.of("GET")), List.of("ip"),
			new QuotaDefinition(List.of(LimitDefinition.of("1/s")), OptionalLong.of(3), Optional.of("token-bucket")),
			Map.of("paid", QuotaDefinition.EMPTY),
			new RuleOptions(Optional.of("2"), Optional.of(FailurePolicy.CLOSED), Optional.of(RuleMode.SHADOW),
					Optional.of(MissingKey.DENY), Optional.of(Phase.LATE), OptionalInt.of(418), Optional.of(true),
					Optional.of(Refund.NEVER), List.of("general"), Optional.of("shared")),
			true);

	private static final RuleDefinition OTHER = new RuleDefinition(
			new Rule.Match(List.of("/x"), List.of("/x/y"), List.of("POST")), List.of("user"),
			new QuotaDefinition(List.of(LimitDefinition.of("9/h")), OptionalLong.of(30), Optional.of("gcra")),
			Map.of("free", QuotaDefinition.EMPTY),
			new RuleOptions(Optional.of("1"), Optional.of(FailurePolicy.OPEN), Optional.of(RuleMode.OFF),
					Optional.of(MissingKey.SKIP), Optional.of(Phase.EARLY), OptionalInt.of(503), Optional.of(false),
					Optional.of(Refund.of(StatusSet.of(List.of("5xx")))), List.of("other"), Optional.of("own")),
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
