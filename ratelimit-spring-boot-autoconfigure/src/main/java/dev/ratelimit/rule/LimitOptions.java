package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.algorithm.Algorithms;

/**
 * Internal: the options of a limit that only some algorithms support, as configured.
 * Immutable.
 *
 * @param zone the id of the time zone by whose calendar periods begin
 * @param credit units beyond the burst that a bucket provides while it is not exhausted
 * @param lease the time for which slots remain occupied if their instance does not renew
 * them
 */
public record LimitOptions(Optional<String> zone, OptionalLong credit, Optional<Duration> lease) {

	/** No options. */
	public static final LimitOptions NONE = new LimitOptions(Optional.empty(), OptionalLong.empty(), Optional.empty());

	/**
	 * Return these options, completed by the values of other options.
	 * @param base the other options
	 * @return the combined options
	 */
	LimitOptions over(LimitOptions base) {
		return new LimitOptions(this.zone.or(base::zone), (this.credit.isPresent()) ? this.credit : base.credit,
				this.lease.or(base::lease));
	}

	/**
	 * The algorithm that a time zone requires.
	 * @return the id, if there is a time zone
	 */
	public Optional<String> calendar() {
		return this.zone.map((zone) -> Algorithms.CALENDAR);
	}

}
