package dev.ratelimit.autoconfigure;

import java.util.function.BooleanSupplier;

import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Rejects rules whose slots connections are to hold, if nothing hands slots to
 * connections: the upgrade would free them, and nothing be limited.
 *
 * @param enabled whether connections can hold slots
 * @param supported whether something hands slots to connections
 */
record ConnectionChecks(boolean enabled, BooleanSupplier supported) {

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
			throw refused(rule, "limits of connections are disabled",
					"Set 'ratelimit.connections.enabled' to true, or remove 'hold'.");
		}
		if (!this.supported.getAsBoolean()) {
			throw refused(rule, "this application cannot limit WebSocket connections",
					"Use WebFlux, or Spring MVC with 'spring-websocket', and do not exclude"
							+ " 'RateLimitWebSocketAutoConfiguration'. Otherwise, remove 'hold'.");
		}
	}

	private static InvalidRuleException refused(Rule rule, String reason, String action) {
		return new InvalidRuleException(rule.location() + ".hold", "connection", reason, action);
	}

}
