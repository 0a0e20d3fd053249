package dev.ratelimit.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Looking for what is configured and yet not right.
 *
 * @param enabled Whether anything is looked for.
 * @param interval How often to look.
 * @param unmatchedAfter How long a rule may be in force without a request until it is
 * reported.
 */
record DoctorProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1m") Duration interval,
		@DefaultValue("10m") Duration unmatchedAfter) {

	public DoctorProperties {
		RateLimitProperties.require(RateLimitProperties.isPositive(interval), "doctor.interval", interval,
				"it must be positive", "Set how often to look for what is wrong, such as 1m.");
		RateLimitProperties.require(RateLimitProperties.isPositive(unmatchedAfter), "doctor.unmatched-after",
				unmatchedAfter, "it must be positive",
				"Set how long a rule may be in force without a request, such as 10m.");
	}

}
