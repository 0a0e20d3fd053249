package dev.ratelimit.autoconfigure;

import java.util.function.BooleanSupplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleSet;

/**
 * Rejects rules of GraphQL operations if the application does not execute GraphQL
 * operations.
 */
final class GraphQlCheck {

	private GraphQlCheck() {
	}

	static void require(RuleSet set, BooleanSupplier supported) {
		set.rules().values().forEach((rule) -> rule.graphQl().ifPresent((fields) -> {
			if (!supported.getAsBoolean()) {
				throw new InvalidRuleException(rule.location() + ".graphql", fields.toString(),
						"this application does not serve GraphQL over the web",
						"Add 'spring-boot-starter-graphql' and a schema, and do not exclude"
								+ " 'RateLimitGraphQlAutoConfiguration'.");
			}
		}));
	}

}
