package dev.ratelimit.telemetry;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Telemetry.
 *
 * @param top Whether to find the subjects that are rejected most often.
 * @param subjects How subjects appear in the list of rejected subjects and in decision
 * events.
 */
@ConfigurationProperties(prefix = "ratelimit.telemetry", ignoreUnknownFields = false)
record TelemetryProperties(@DefaultValue("false") boolean top, @DefaultValue("hashed") Subjects subjects) {

	/**
	 * The form in which subjects are shown.
	 */
	public enum Subjects {

		/** A keyed hash instead of each value. */
		HASHED,

		/** As they are, which may be personal data. */
		PLAIN

	}

}
