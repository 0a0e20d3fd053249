package dev.ratelimit.telemetry;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: decision events, for DecisionEventSink beans and a stream in Redis.
 *
 * @param allowed Ratio of the decisions that allow a request to send, from 0 to 1.
 * @param rejected Ratio of the decisions that reject a request to send, from 0 to 1.
 * @param maxPerSecond Maximum number of events per second and instance. Further events
 * are dropped.
 * @param stream Decision events in a stream in Redis.
 */
@ConfigurationProperties(prefix = "ratelimit.events", ignoreUnknownFields = false)
public record EventsProperties(@DefaultValue("0") double allowed, @DefaultValue("1") double rejected,
		@DefaultValue("100") int maxPerSecond, @DefaultValue Stream stream) {

	public EventsProperties {
		requireRatio("events.allowed", allowed);
		requireRatio("events.rejected", rejected);
		PropertyChecks.require(maxPerSecond >= 1 && maxPerSecond <= EventSample.MAX_PER_SECOND, "events.max-per-second",
				maxPerSecond, "it must be between 1 and " + EventSample.MAX_PER_SECOND,
				"Set the maximum number of events per second, such as 100.");
	}

	private static void requireRatio(String name, double ratio) {
		PropertyChecks.require(ratio >= 0 && ratio <= 1, name, ratio, "it must be between 0 and 1",
				"Set the ratio of the decisions to send, such as 0.01.");
	}

	/**
	 * Decision events in a stream in Redis.
	 *
	 * @param enabled Whether to write decision events to a stream in Redis.
	 * @param maxLength Approximate maximum number of events in the stream. Older events
	 * are removed.
	 */
	public record Stream(@DefaultValue("false") boolean enabled, @DefaultValue("100000") long maxLength) {

		private static final long MAX_LENGTH = 100_000_000;

		public Stream {
			PropertyChecks.require(maxLength >= 1 && maxLength <= MAX_LENGTH, "events.stream.max-length", maxLength,
					"it must be between 1 and " + MAX_LENGTH, "Set the maximum number of events, such as 100000.");
		}

	}

}
