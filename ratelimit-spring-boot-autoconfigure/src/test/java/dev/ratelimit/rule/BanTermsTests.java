package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.BanKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BanTermsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static BanTerms terms(int after, double growth, boolean denied, Duration max, BanKind as) {
		return new BanTerms(after, HOUR, denied, Optional.empty(), HOUR, growth, max, HOUR, as);
	}

	private static RuleBuilder rule(BanTerms terms, String... key) {
		return RuleBuilder.rule("login").limits("5/min").key(key).with(RuleOptions.BAN, terms);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ip", "user", "caller", "ip|form:username" })
	void keysThatClientsDoNotChooseCanBeBanned(String key) {
		BanTerms terms = terms(10, 2, true, HOUR, BanKind.BAN);
		assertThat(rule(terms, key.split("\\|")).build().reaction().excess().ban()).contains(terms);
	}

	@ParameterizedTest
	@ValueSource(strings = { "form:username", "header:X-Key", "param:user", "path:id", "global", "route", "claim:sub" })
	void banOnClientChosenKeyIsRejected(String key) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> rule(terms(10, 2, true, HOUR, BanKind.BAN), key).build())
			.withMessage("rule 'login'.ban = 'key: [" + key + "]': all clients could send this key, and so"
					+ " have other clients banned");
	}

	@Test
	void numbersThatCannotWorkAreNamed() {
		for (List<Object> one : List.<List<Object>>of(List.of("after", terms(0, 2, true, HOUR, BanKind.BAN)),
				List.of("growth", terms(1, 0.5, true, HOUR, BanKind.BAN)),
				List.of("max", terms(1, 1, true, Duration.ofMinutes(59), BanKind.BAN)),
				List.of("strikes", terms(1, 1, false, HOUR, BanKind.BAN)),
				List.of("as", terms(1, 1, true, HOUR, BanKind.PAUSE)))) {
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> rule((BanTerms) one.get(1), "ip").build())
				.withMessageStartingWith("rule 'login'.ban." + one.get(0) + " = '");
		}
	}

}
