package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RuleBuilderTests {

	@Test
	void missingSettingsHaveTheDefaultsOfProperties() {
		Rule written = Definitions.factory(RuleDefinition.EMPTY)
			.rule("search", Origin.CODE, "x", Definitions.limits("100/min"));
		assertThat(RuleBuilder.rule("search").limits("100/min").build()).isEqualTo(written);
	}

	@Test
	void everythingThatIsSetIsInTheRule() {
		Rule rule = RuleBuilder.rule("search")
			.paths("/search/**")
			.exceptPaths("/search/help")
			.methods("GET")
			.key("user", "route")
			.onMissingKey(MissingKeyPolicy.DENY)
			.limit(new LimitDefinition("10/s", OptionalLong.of(15), Optional.empty()))
			.limits("100/min")
			.algorithm("gcra")
			.plan("paid", "1000/min")
			.cost("5")
			.bucket("shared")
			.with(RuleOptions.CONSISTENCY, Consistency.LEASED)
			.mode(RuleMode.SHADOW)
			.failure(FailurePolicy.LOCAL)
			.phase(Phase.LATE)
			.with(RuleOptions.STATUS, 420)
			.idempotency()
			.replaces("general")
			.with(RuleOptions.ALLOW, List.of("10.0.0.0/8"))
			.build();
		assertThat(rule.match())
			.isEqualTo(new Rule.Match(List.of("/search/**"), List.of("/search/help"), List.of("GET")));
		assertThat(rule.key()).isEqualTo(new RuleKey(List.of(KeyPart.parse("user"), KeyPart.parse("route")),
				Optional.of(MissingKeyPolicy.DENY)));
		assertThat(rule.limits()).extracting(Limit::burst).containsExactly(15L, 100L);
		assertThat(rule.limits()).extracting(Limit::algorithm).containsOnly("gcra");
		assertThat(rule.numbers().plans().get("paid").limits()).extracting(Limit::toString).containsExactly("1000/min");
		assertThat(rule.numbers().cost()).isEqualTo(Cost.fixed(5));
		assertThat(rule.numbers().bucket()).hasValue("shared");
		assertThat(rule.numbers().consistency()).isEqualTo(Consistency.LEASED);
		assertThat(rule.reaction()).returns(RuleMode.SHADOW, Reaction::mode)
			.returns(FailurePolicy.LOCAL, Reaction::failure)
			.returns(Phase.LATE, Reaction::phase)
			.returns(OptionalInt.of(420), Reaction::status)
			.returns(true, Reaction::idempotency)
			.returns(List.of("general"), Reaction::replaces);
		assertThat(rule.access().allow()).containsExactly("10.0.0.0/8");
	}

	@Test
	void invalidSettingIsNamed() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleBuilder.rule("a").limits("100/minn").build())
			.withMessageStartingWith("rule 'a'.limit = '100/minn': 'minn' is not a period");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RuleBuilder.rule("a").build())
			.withMessage("rule 'a': the rule has no limit");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleBuilder.rule("a").limits("1/s").failure(FailurePolicy.CLOSED).idempotency().build())
			.withMessageStartingWith("rule 'a'.idempotency = 'true': 'idempotency' cannot be combined");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(
					() -> RuleBuilder.rule("a").limits("1/s").onMissingKey(MissingKeyPolicy.SKIP).replaces("b").build())
			.withMessageStartingWith("rule 'a'.replaces = '[b]': ");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> degrading().failure(FailurePolicy.CLOSED).build())
			.withMessageStartingWith("rule 'a'.on-excess = 'degrade': 'failure: closed' rejects requests");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> degrading().replaces("b").build())
			.withMessageStartingWith("rule 'a'.on-excess = 'degrade': a client above the limit");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleBuilder.rule("a").limits("1/s").bucket("B").build())
			.withMessageStartingWith("rule 'a'.bucket = 'B': ");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleBuilder.rule("A").limits("1/s").build())
			.withMessageStartingWith("rule 'A' = 'A': an id must be a lowercase letter");
	}

	private static RuleBuilder degrading() {
		return RuleBuilder.rule("a").limits("1/s").with(RuleOptions.ON_EXCESS, ExcessPolicy.DEGRADE);
	}

	@Test
	void groupsCheckThemselves() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> RuleFactory.reaction(RuleOptions.EMPTY.with(RuleOptions.STATUS, 200)))
			.withMessage("rule.status = '200': it must be between 400 and 599");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new RuleKey(List.of(), Optional.empty()))
			.withMessage("rule.key: the rule has no key");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LimitSet(LimitSet.Kind.LIMITED,
					List.of(new Limit("leaky-sieve", 1, Duration.ofSeconds(1), 1)), LimitSet.DEFAULT_STORE))
			.withMessageStartingWith("there is no algorithm 'leaky-sieve'; the algorithms are concurrency, ");
	}

}
