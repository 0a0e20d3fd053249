package dev.ratelimit.rule;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleSetTests {

	private static final RuleSet SET = RuleSet.of(13,
			List.of(rule("b", "2/s"), RuleBuilder.rule("a").limits("1/s").with(RuleOptions.REFUND, refund()).build()));

	@Test
	void theDigestIsOfWhatRulesDo() {
		RuleSet same = RuleSet.of(14, List
			.of(RuleBuilder.rule("a").limits("1/s").with(RuleOptions.REFUND, refund()).build(), rule("b", "2/s")));
		assertThat(SET.digest()).isEqualTo(same.digest()).matches("[0-9a-f]{12}");
		assertThat(RuleSet.of(13, List.of(rule("b", "2/s"))).digest()).isNotEqualTo(SET.digest());
		assertThat(RuleSet.of(13, List.of(rule("b", "3/s"))).digest())
			.isNotEqualTo(RuleSet.of(13, List.of(rule("b", "2/s"))).digest());
		assertThat(RuleSet.of(13, List.of(RuleBuilder.rule("b").limits("3/s").burst(4).build())).digest())
			.isNotEqualTo(RuleSet.of(13, List.of(rule("b", "3/s"))).digest());
		assertThat(
				RuleSet.of(13, List.of(RuleBuilder.rule("b").limits("3/s").override("acme", "4/s").build())).digest())
			.isNotEqualTo(RuleSet.of(13, List.of(rule("b", "3/s"))).digest());
	}

	// The digest contains all components of a rule. If you add a component here, also add
	// it to RuleDigest. Otherwise, instances with different values would show the same
	// digest.
	@Test
	void theDigestIsOfAllComponentsOfARule() {
		assertThat(components(Rule.class)).containsExactly("id", "origin", "match", "key", "numbers", "reaction",
				"access", "others");
		assertThat(components(Reaction.class)).containsExactly("mode", "failure", "phase", "status", "idempotency",
				"refund", "replaces", "ramp", "excess", "holding", "waiting");
		assertThat(components(RuleNumbers.class)).containsExactly("quota", "plans", "overrides", "cost", "bucket",
				"consistency", "reserve");
		assertThat(components(RuleKey.class)).containsExactly("parts", "onMissing");
		assertThat(components(LimitSet.class)).containsExactly("kind", "limits", "store");
	}

	@Test
	void theIdOfARuleIsNotThePolicyOfALimitOfAPlan() {
		RuleSet set = RuleSet.of(1, List
			.of(RuleBuilder.rule("api").limits("5/s").plan("pro", "10/s", "100/min").build(), rule("api-1s", "1/s")));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleSetChecks.check(set, true, (warning) -> {
			}))
			.withMessageContaining("a limit of the rule 'api' has the same policy name");
	}

	private static List<String> components(Class<? extends Record> type) {
		return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
	}

	@Test
	void theDigestIsNotOfWhereRulesAreWritten() {
		RuleDefinition limit = Definitions.limits("2/s");
		Rule live = new RuleLayers(RuleDefinition.EMPTY,
				List.of(new RuleLayer(Origin.Kind.PROPERTY, Map.of("b", new WrittenRule("here", limit)))))
			.rules(Map.of("b", WrittenRule.live("b", limit, LiveChange.of("redis", 13))), (warning) -> {
			})
			.rules()
			.get(0);
		assertThat(RuleSet.of(1, List.of(live)).digest()).isEqualTo(RuleSet.of(1, List.of(rule("b", "2/s"))).digest());
	}

	@Test
	void theDigestIsTheSameInEveryJvm() {
		assertThat(SET.digest()).isEqualTo("4bb1e83667fe");
	}

	@ParameterizedTest
	@CsvSource({ "user, a4aeef352110, false", "header:X, 40e04a626aa6, true" })
	void theDigestSaysWhetherAWrittenPolicyOfMissingKeysMatters(String key, String digest, boolean same) {
		RuleBuilder rule = RuleBuilder.rule("b").limits("3/s").key(key);
		String unwritten = RuleSet.of(13, List.of(rule.build())).digest();
		assertThat(unwritten).as("as in all versions before").isEqualTo(digest);
		String written = RuleSet.of(13, List.of(rule.onMissingKey(MissingKeyPolicy.SHARED).build())).digest();
		assertThat(written.equals(unwritten)).isEqualTo(same);
		assertThat(RuleSet.of(13, List.of(rule.onMissingKey(MissingKeyPolicy.IP).build())).digest())
			.isNotEqualTo(unwritten);
	}

	@Test
	void otherModesKeepWhatIsWritten() {
		RuleSet shadow = SET.in((rule) -> RuleMode.SHADOW);
		assertThat(shadow.rules().values()).extracting((rule) -> rule.reaction().mode()).containsOnly(RuleMode.SHADOW);
		assertThat(shadow.written()).isSameAs(SET);
		assertThat(shadow.version()).isEqualTo(13);
		assertThat(shadow.digest()).isEqualTo(SET.digest());
		assertThat(SET.in(RuleModes.WRITTEN)).isSameAs(SET);
		assertThat(shadow.in((rule) -> RuleMode.OFF).written()).isSameAs(SET);
	}

	private static Refund refund() {
		return Refund.of(StatusSet.of(List.of("5xx")));
	}

	private static Rule rule(String id, String limit) {
		return RuleBuilder.rule(id).limits(limit).build();
	}

}
