package dev.ratelimit.telemetry;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: decision events in a stream in Redis.
 *
 * @param enabled Whether to write decision events to a stream in Redis.
 * @param maxLength Approximate maximum number of events in the stream. Older events are
 * removed.
 */
public record StreamProperties(@DefaultValue("false") boolean enabled, @DefaultValue("100000") long maxLength) {

	private static final long MOST = 100_000_000;

	public StreamProperties {
		PropertyChecks.require(maxLength >= 1 && maxLength <= MOST, "events.stream.max-length", maxLength,
				"it must be between 1 and " + MOST, "Set the maximum number of events, such as 100000.");
	}

}
