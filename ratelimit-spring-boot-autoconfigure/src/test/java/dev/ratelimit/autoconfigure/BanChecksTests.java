package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.BanKind;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BanChecksTests {

	private static final BanTerms TERMS = new BanTerms(10, Duration.ofHours(1), true, Optional.empty(),
			Duration.ofHours(1), 1, Duration.ofHours(1), Duration.ZERO, BanKind.BAN);

	private static RuleSet rules(String key) {
		return RuleSet.EMPTY.next(List
			.of(RuleBuilder.rule("login").key(key).limits("5/min").paths("/**").with(RuleOptions.BAN, TERMS).build()));
	}

	private static ClientAddressProperties addresses(ClientAddressProperties.Source source, List<String> proxies,
			@Nullable Integer hops) {
		return new ClientAddressProperties(source, proxies, hops, null, 64);
	}

	@Test
	void bansThatAreDisabledAreNotIgnored() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new BanChecks(false, () -> true, Optional.empty()).check(rules("ip")))
			.withMessage("ratelimit.rules.login.ban: bans are disabled");
	}

	@ParameterizedTest
	@CsvSource({ "ban.RateLimitBanAutoConfiguration, ban.after=3 ban.for=10m, cannot ban clients",
			"waiting.RateLimitWaitingAutoConfiguration, wait=2s, cannot let requests wait" })
	void aRuleIsRejectedIfItsCapabilityIsExcluded(String excluded, String options, String reason) {
		EnableAuto.fewer()
			.withPropertyValues("spring.autoconfigure.exclude=dev.ratelimit." + excluded,
					"ratelimit.rules.login.paths=/login", "ratelimit.rules.login.limit=5/min",
					"ratelimit.rules.login.key=user")
			.withPropertyValues(options.replaceAll("(^| )", "$1ratelimit.rules.login.").split(" "))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("InvalidRuleException: ratelimit.rules.login.")
				.hasStackTraceContaining(reason));
	}

	@Test
	void anAddressThatClientsChooseCouldBanOthers() {
		ClientAddressProperties container = addresses(ClientAddressProperties.Source.CONTAINER, List.of(), null);
		ClientAddressProperties hops = addresses(ClientAddressProperties.Source.OWN, List.of(), 1);
		ClientAddressProperties everybody = addresses(ClientAddressProperties.Source.OWN, List.of("0.0.0.0/0"), null);
		for (ClientAddressProperties forgeable : List.of(container, hops, everybody)) {
			BanChecks checks = new BanChecks(true, () -> true, forgeable.forgeable());
			for (String key : List.of("ip", "caller")) {
				assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> checks.check(rules(key)))
					.withMessageContaining("so clients could choose an address, and have others banned");
			}
			assertThatNoException().isThrownBy(() -> checks.check(rules("user")));
		}
		BanChecks named = new BanChecks(true, () -> true,
				addresses(ClientAddressProperties.Source.OWN, List.of("10.0.0.0/8"), null).forgeable());
		assertThatNoException().isThrownBy(() -> named.check(rules("ip")));
	}

	@Test
	void bansAreThereIfARuleBansOrTheyAreEnabled() {
		MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.rules.login.limit", "5/min");
		assertThat(BanChecks.enabled(environment)).isFalse();
		assertThat(BanChecks.enabled(environment.withProperty("ratelimit.rules.login.ban.after", "5"))).isTrue();
		assertThat(BanChecks.enabled(environment.withProperty("ratelimit.bans.enabled", "false"))).isFalse();
		assertThat(BanChecks.enabled(new MockEnvironment().withProperty("ratelimit.bans.enabled", "true"))).isTrue();
		assertThat(BanChecks
			.enabled(new MockEnvironment().withProperty("ratelimit.client.quotas.partner.rule", "partner"))).isTrue();
	}

}
