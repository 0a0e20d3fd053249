package dev.ratelimit.web.graphql;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of GraphQL operations.
 *
 * @param maxFields Maximum number of fields of an operation, each as often as fragments
 * repeat it. Operations with more are rejected if a rule with graphql exists.
 */
@ConfigurationProperties(prefix = "ratelimit.graphql", ignoreUnknownFields = false)
record GraphQlProperties(@DefaultValue("5000") int maxFields) {

	public GraphQlProperties {
		PropertyChecks.require(maxFields >= 1, "graphql.max-fields", maxFields, "it must be positive",
				"Set the number of fields that your largest operation has.");
	}

}
