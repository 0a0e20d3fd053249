package dev.ratelimit.ban;

import java.time.Duration;

import dev.ratelimit.BanKind;
import dev.ratelimit.rule.BanTerms;

/**
 * Internal: a request to impose a ban. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, canonical
 * @param kind what the rule is to do
 * @param millis how long, the first time
 * @param growth the factor by which each further one is longer
 * @param maxMillis how long at most
 * @param forgetMillis how long after its end it makes the next one longer
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
		// Not every duration can be converted to milliseconds: 0 is rejected as well.
		long millis = (duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) ? 0 : duration.toMillis();
		return new BanOrder(rule, subject, kind, millis, 1, millis, 0, user);
	}

	/**
	 * Whether strikes impose it, so that the brake applies.
	 * @return false if a user or the application does
	 */
	boolean byStrikes() {
		return this.user.isEmpty() && this.kind != BanKind.PAUSE;
	}

	long durationMillis(int count) {
		return (long) Math.min(this.maxMillis, this.millis * Math.pow(this.growth, count - 1.0));
	}

}
