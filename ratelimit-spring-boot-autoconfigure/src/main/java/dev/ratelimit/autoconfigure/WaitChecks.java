package dev.ratelimit.autoconfigure;

import java.util.function.BooleanSupplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Rejects rules whose requests can wait if the application has no queues: the requests
 * would be rejected immediately.
 *
 * @param supported whether the application has queues
 */
record WaitChecks(BooleanSupplier supported) {

	void check(RuleSet set) {
		set.rules()
			.values()
			.stream()
			.filter((rule) -> rule.reaction().waiting().isPresent())
			.findFirst()
			.ifPresent(this::require);
	}

	private void require(Rule rule) {
		if (!this.supported.getAsBoolean()) {
			throw new InvalidRuleException(rule.location() + ".wait",
					rule.reaction().waiting().map(Object::toString).orElse(""),
					"this application cannot let requests wait",
					"Do not exclude 'RateLimitWaitingAutoConfiguration', or remove 'wait'.");
		}
	}

}
