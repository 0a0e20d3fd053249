package dev.ratelimit.method;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: limits on methods of beans that are not web handlers.
 *
 * @param enabled Whether RateLimited limits methods of beans that are not web handlers.
 * @param maxWaiting Maximum number of threads that wait at a time for calls of such
 * methods.
 */
public record MethodProperties(@DefaultValue("true") boolean enabled, @DefaultValue("200") int maxWaiting) {

	public MethodProperties {
		PropertyChecks.require(maxWaiting >= 0, "methods.max-waiting", maxWaiting, "it must not be negative",
				"Set the maximum number of waiting threads, such as 200.");
	}

}
