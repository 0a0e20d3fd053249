package dev.ratelimit.autoconfigure;

import java.util.function.BooleanSupplier;

import dev.ratelimit.base.WrittenCondition;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

import org.springframework.core.env.Environment;

/**
 * Rejects rules with {@code hold: connection} if connections cannot take over slots: the
 * upgrade would free the slots, and connections would not be limited.
 *
 * @param enabled whether connections can hold slots
 * @param supported whether connections can take over slots
 */
record ConnectionChecks(boolean enabled, BooleanSupplier supported) {

	/**
	 * Return whether connections can hold slots: if this is enabled, or a rule has
	 * {@code hold}.
	 * @param environment the properties
	 * @return whether the application has limits of connections
	 */
	static boolean enabled(Environment environment) {
		Boolean enabled = environment.getProperty("ratelimit.connections.enabled", Boolean.class);
		return (enabled != null) ? enabled : WrittenCondition.isWritten(environment, "ratelimit.rules.*.hold");
	}

	void check(RuleSet set) {
		set.rules()
			.values()
			.stream()
			.filter((rule) -> rule.reaction().holding().by() == Holder.CONNECTION)
			.findFirst()
			.ifPresent(this::require);
	}

	private void require(Rule rule) {
		if (!this.enabled) {
			throw rejected(rule, "limits of connections are disabled",
					"Set 'ratelimit.connections.enabled' to true, or remove 'hold'.");
		}
		if (!this.supported.getAsBoolean()) {
			throw rejected(rule, "this application cannot limit WebSocket connections",
					"Use WebFlux, or Spring MVC with 'spring-websocket', and do not exclude"
							+ " 'RateLimitWebSocketAutoConfiguration'. Otherwise, remove 'hold'.");
		}
	}

	private static InvalidRuleException rejected(Rule rule, String reason, String action) {
		return new InvalidRuleException(rule.location() + ".hold", "connection", reason, action);
	}

}
