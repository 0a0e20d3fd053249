package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.rule.LayeredRules;

/**
 * Internal: the state of an instance as a follower of its source. Immutable.
 *
 * @param source the name of the source
 * @param version the active version; 0 if no document is active
 * @param digest identifies the effective rules
 * @param base identifies the rules of the application itself
 * @param rejected the reason for which the newest version was rejected; empty if it was
 * not
 * @param rejectedVersion the version that was rejected; empty if it has none
 * @param notApplied entries without effect
 * @param changedBase descriptions of overrides whose base has changed
 * @param sourceAgeMillis the time since the source was last read, in milliseconds
 * @param trouble the reason for which the source cannot be read; empty if it can
 */
public record LiveStatus(String source, long version, String digest, String base, Optional<String> rejected,
		OptionalLong rejectedVersion, List<LayeredRules.NotApplied> notApplied, List<String> changedBase,
		long sourceAgeMillis, Optional<String> trouble) {

	/** The time in milliseconds after which a silent source is reported. */
	public static final long SILENCE_MILLIS = 30_000;

	/**
	 * Return whether the last reading of the source is too old.
	 * @return whether newer rules may exist
	 */
	boolean silent() {
		return this.sourceAgeMillis >= SILENCE_MILLIS;
	}

}
