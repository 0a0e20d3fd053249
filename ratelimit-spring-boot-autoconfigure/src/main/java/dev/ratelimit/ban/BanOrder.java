package dev.ratelimit.ban;

import java.time.Duration;

import dev.ratelimit.BanKind;
import dev.ratelimit.rule.BanTerms;

/**
 * Internal: a request to impose a ban. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, canonical
 * @param kind the effect on the subject
 * @param millis the duration of the first ban
 * @param growth the factor by which each further ban is longer
 * @param maxMillis the maximum duration
 * @param forgetMillis the time after its end for which it makes the next ban longer
 * @param user the user that imposes it; empty if strikes do
 */
public record BanOrder(String rule, String subject, BanKind kind, long millis, double growth, long maxMillis,
		long forgetMillis, String user) {

	private static final Duration MAX_DURATION = Duration.ofDays(366);

	public BanOrder {
		if (millis < 1 || millis > MAX_DURATION.toMillis()) {
			throw new IllegalArgumentException("'duration' must be between 1 ms and 366 days");
		}
	}

	static BanOrder byStrikes(String rule, String subject, BanTerms terms) {
		return new BanOrder(rule, subject, terms.as(), terms.duration().toMillis(), terms.growth(),
				terms.max().toMillis(), terms.forget().toMillis(), "");
	}

	static BanOrder of(String rule, String subject, BanKind kind, Duration duration, String user) {
		// Durations that are out of range become 0, which is rejected, because not every
		// duration can be converted to milliseconds.
		long millis = (duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) ? 0 : duration.toMillis();
		return new BanOrder(rule, subject, kind, millis, 1, millis, 0, user);
	}

	/**
	 * Return whether strikes impose the ban, so that the maximum per minute applies.
	 * @return false if a user or the application imposes it
	 */
	boolean byStrikes() {
		return this.user.isEmpty() && this.kind != BanKind.PAUSE;
	}

	long durationMillis(int count) {
		return (long) Math.min(this.maxMillis, this.millis * Math.pow(this.growth, count - 1.0));
	}

}
