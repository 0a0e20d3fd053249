package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallersTests {

	@Test
	void withoutSpringSecurityNoRuleMayHaveAuthorities() {
		Rule rule = RuleBuilder.rule("search")
			.limits("1/s")
			.with(RuleOptions.BYPASS_AUTHORITIES, List.of("STAFF"))
			.build();
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Callers.EQUAL.of(rule, Phase.LATE))
			.withMessageContaining("ratelimit.rules.search.bypass-authorities")
			.withMessageContaining("Spring Security is not on the classpath");
	}

}
