package dev.ratelimit.doctor;

import java.time.Duration;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Checks for configurations that do not work as intended.
 *
 * @param enabled Whether to enable the doctor.
 * @param interval Interval between checks of requests.
 * @param unmatchedAfter How long a rule can be active without a request before it is
 * reported.
 */
@ConfigurationProperties(prefix = "ratelimit.doctor", ignoreUnknownFields = false)
record DoctorProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1m") Duration interval,
		@DefaultValue("10m") Duration unmatchedAfter) {

	public DoctorProperties {
		PropertyChecks.require(PropertyChecks.isPositive(interval), "doctor.interval", interval, "it must be positive",
				"Set the interval between checks, such as 1m.");
		PropertyChecks.require(PropertyChecks.isPositive(unmatchedAfter), "doctor.unmatched-after", unmatchedAfter,
				"it must be positive", "Set the time after which an unmatched rule is reported, such as 10m.");
	}

}
