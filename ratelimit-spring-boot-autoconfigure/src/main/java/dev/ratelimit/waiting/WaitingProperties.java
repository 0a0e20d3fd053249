package dev.ratelimit.waiting;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Requests that wait for their turn.
 *
 * @param maxWaiting Maximum number of requests that wait at a time on this instance. 0
 * rejects them.
 */
@ConfigurationProperties(prefix = "ratelimit.wait", ignoreUnknownFields = false)
record WaitingProperties(@DefaultValue("1000") int maxWaiting) {

	public WaitingProperties {
		PropertyChecks.require(maxWaiting >= 0, "wait.max-waiting", maxWaiting, "it must not be negative",
				"Set the maximum number of waiting requests, such as 1000.");
	}

}
