package dev.ratelimit.base;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class WrittenConditionTests {

	private static final String BAN = "ratelimit.rules.*.ban";

	private static boolean isWritten(Map<String, Object> variables, String property) {
		MockEnvironment environment = new MockEnvironment();
		environment.getPropertySources()
			.addLast(new SystemEnvironmentPropertySource("systemEnvironment", new HashMap<>(variables)));
		return WrittenCondition.isWritten(environment, property);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.rules.login.ban", "ratelimit.rules.login.ban.after",
			"ratelimit.rules[login].ban.for", "ratelimit.rules.per-ip.ban.strikes[0]", "ratelimit.rules.login.BAN.as" })
	void anOptionOfARuleIsFoundByItsName(String name) {
		assertThat(WrittenCondition.isWritten(new MockEnvironment().withProperty(name, "5"), BAN)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.rules.ban", "ratelimit.rules.ban.limit", "ratelimit.rules.login.banner",
			"ratelimit.rules.login.plans.ban.limit", "ratelimit.defaults.login.ban", "other.rules.login.ban" })
	void otherNamesAreNone(String name) {
		assertThat(WrittenCondition.isWritten(new MockEnvironment().withProperty(name, "5"), BAN)).isFalse();
	}

	@Test
	void environmentVariablesCount() {
		assertThat(isWritten(Map.of("RATELIMIT_RULES_PERIP_BAN_AFTER", "5"), BAN)).isTrue();
		assertThat(isWritten(Map.of("RATELIMIT_RULES_LOGIN_ONEXCESS", "wait"), "ratelimit.rules.*.on-excess")).isTrue();
		assertThat(isWritten(Map.of("RATELIMIT_RULES_BAN_LIMIT", "5"), BAN)).isFalse();
	}

	@Test
	void noValueIsRead() {
		MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.rules.login.limit",
				"${missing.placeholder}");
		environment.getPropertySources().addFirst(new PropertySource<>("random", new Object()) {

			@Override
			public Object getProperty(String name) {
				throw new IllegalStateException("'" + name + "' was read");
			}

		});
		assertThat(WrittenCondition.isWritten(environment, BAN)).isFalse();
	}

}
