package dev.ratelimit.web.graphql;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: limits of GraphQL operations.
 *
 * @param maxFields Maximum number of fields of an operation, each as often as fragments
 * repeat it. Operations with more are rejected if a rule with graphql exists.
 */
@ConfigurationProperties(prefix = "ratelimit.graphql", ignoreUnknownFields = false)
public record GraphQlProperties(@DefaultValue("5000") int maxFields) {

	public GraphQlProperties {
		if (maxFields < 1) {
			throw new IllegalArgumentException("'ratelimit.graphql.max-fields' (" + maxFields + ") must be at least 1");
		}
	}

}
