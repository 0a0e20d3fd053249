package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.ExcessPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ExcessTests {

	private static RuleBuilder tarred(Tarpit tarpit) {
		return RuleBuilder.rule("login")
			.limits("5/min")
			.with(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT)
			.with(RuleOptions.TARPIT, tarpit);
	}

	@Test
	void aTarpitHasDefaults() {
		Rule rule = RuleBuilder.rule("login").limits("5/min").with(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT).build();
		assertThat(rule.reaction().excess().tarpit()).contains(new Tarpit(Duration.ofSeconds(5), 100));
		assertThat(rule.reaction().excess().rejects()).isTrue();
		assertThat(RuleBuilder.rule("login").limits("5/min").build().reaction().excess().tarpit()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "PT0S,1,delay", "PT30.001S,1,delay", "PT0.0001S,1,delay", "PT1S,0,max" })
	void numbersThatCannotWorkAreNamed(Duration delay, int max, String property) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> tarred(new Tarpit(delay, max)).build())
			.withMessageStartingWith("rule 'login'.tarpit." + property + " = '");
	}

	@Test
	void aTarpitThatHasNoEffectIsRejected() {
		for (ExcessPolicy policy : List.of(ExcessPolicy.REJECT, ExcessPolicy.DEGRADE)) {
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> tarred(Tarpit.DEFAULT).with(RuleOptions.ON_EXCESS, policy).build())
				.withMessage("rule 'login'.tarpit = '5000ms, max 100': rejections are delayed only with"
						+ " 'on-excess: tarpit'");
		}
		Rule.Match code = new Rule.Match(List.of(), List.of(), List.of(), true);
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleFactory.rule("login", Origin.CODE, Checks.UNPLACED,
					new RuleDefinition(code, List.of("ip"), Definitions.limits("5/min").quota(), Map.of(),
							RuleOptions.EMPTY.with(RuleOptions.ON_EXCESS, ExcessPolicy.TARPIT)),
					RuleDefinition.EMPTY))
			.withMessage("rule.on-excess = 'tarpit': only responses to requests can be delayed, and code decides on its"
					+ " own");
	}

}
