package dev.ratelimit.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Criticality.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReserveTests {

	private static RuleBuilder reserving(String limit, String... shares) {
		return RuleBuilder.rule("slots")
			.key("global")
			.limits(limit)
			.algorithm("concurrency")
			.with(RuleOptions.RESERVE, reserve(shares));
	}

	private static Reserve reserve(String... shares) {
		Map<String, String> written = new HashMap<>();
		for (int i = 0; i < shares.length; i += 2) {
			written.put(shares[i], shares[i + 1]);
		}
		return Reserve.parse(written);
	}

	@Test
	void aLevelCanTakeWhatIsNotReservedForTheLevelsAboveIt() {
		Reserve reserve = Reserve.parse(Map.of("HIGH", "300", "critical", "20%"));
		assertThat(List.of(Level.values())).extracting((level) -> reserve.capacity(level, 2000))
			.containsExactly(2000L, 1600L, 1300L, 1300L);
		assertThat(reserve).hasToString("critical: 20%, high: 300");
		assertThat(Reserve.NONE.capacity(Level.LOW, 7)).isEqualTo(7);
	}

	@Test
	void aPercentageIsAtLeastOneSlot() {
		Reserve reserve = Reserve.parse(Map.of("critical", "1%"));
		assertThat(reserve.capacity(Level.NORMAL, 3)).isEqualTo(2);
		assertThat(reserve.capacity(Level.NORMAL, 1_000_000_000_000L)).isEqualTo(990_000_000_000L);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			crit     | 20%  | there is no level 'crit'; the levels are critical, high, and normal
			low      | 20%  | no level is below 'low', so there is nothing to reserve slots from
			critical | some | 'some' is neither a percentage such as 20% nor a number of slots such as 100
			critical | 100% | a percentage must be between 1% and 99%
			critical | 0    | a number of slots must be at least 1
			""")
	void invalidValueIsReported(String level, String share, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> Reserve.parse(Map.of(level, share))).withMessage(reason);
	}

	@ParameterizedTest
	@CsvSource({ "high,5", "high,9", "normal,60%" })
	void eachLevelKeepsASlot(String level, String share) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> reserving("10", "critical", "5", level, share).build())
			.withMessageStartingWith("rule 'slots'.reserve = 'critical: 5, " + level + ": " + share
					+ "': of 10 slots, 0 are left to the lowest level");
	}

	@Test
	void eachPlanAndTheCostOfARequestMustFit() {
		reserving("10", "critical", "5").cost("5").plan("free", "10").build();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> reserving("10", "critical", "5").cost("6").build());
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> reserving("10", "critical", "5").plan("free", "5").build())
			.withMessageContaining("of 5 slots");
	}

	@Test
	void onlySlotsOfRequestsCanBeReserved() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleBuilder.rule("slots")
				.limits("10/s")
				.with(RuleOptions.RESERVE, reserve("critical", "5"))
				.build())
			.withMessageContaining("only slots of concurrent requests can be reserved");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> reserving("10", "critical", "5").with(RuleOptions.WAIT, Waiting.parse("2s")).build())
			.withMessageContaining("would wait in the same queue as the others");
		Rule.Match code = new Rule.Match(List.of(), List.of(), List.of(), true);
		RuleDefinition written = new RuleDefinition(code, List.of("global"),
				new LimitSetDefinition(List.of(LimitDefinition.of("10")), OptionalLong.empty(),
						Optional.of("concurrency")),
				Map.of(), RuleOptions.EMPTY.with(RuleOptions.RESERVE, reserve("critical", "5")));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleFactory.rule("slots", Origin.CODE, Checks.UNPLACED, written, RuleDefinition.EMPTY))
			.withMessageContaining("only requests have a level");
	}

	@Test
	void rulesThatShareABucketReserveTheSame() {
		RuleSet set = RuleSet.of(1, List.of(reserving("10", "critical", "5").bucket("both").build(),
				RuleBuilder.rule("other").key("global").limits("10").algorithm("concurrency").bucket("both").build()));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleSetChecks.check(set, true, (warning) -> {
			}))
			.withMessageContaining("other limits");
	}

	@Test
	void aReserveIsPartOfWhatARuleDoes() {
		Rule rule = reserving("10", "critical", "5").build();
		Rule without = RuleBuilder.rule("slots").key("global").limits("10").algorithm("concurrency").build();
		assertThat(RuleDigest.of(List.of(rule))).isNotEqualTo(RuleDigest.of(List.of(without)));
		assertThat(rule.differsInModeAtMost(without)).isFalse();
	}

}
