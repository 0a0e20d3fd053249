package dev.ratelimit.rule;

import java.util.function.IntPredicate;

/**
 * Internal: which requests get their charge back when they are completed. It is charged
 * first and refunded after, so that any number of concurrent requests cannot exceed a
 * limit. Immutable.
 *
 * @param text how it is described to people
 * @param condition which statuses of responses it is for
 */
public record Refund(String text, IntPredicate condition) {

	/** No request does. */
	public static final Refund NEVER = new Refund("never", (status) -> false);

	/**
	 * Requests whose response has one of some statuses.
	 * @param statuses the statuses
	 * @return the refund
	 */
	public static Refund of(StatusSet statuses) {
		return new Refund("status " + statuses, statuses::contains);
	}

	/**
	 * All requests but those whose response has one of some statuses.
	 * @param statuses the statuses that count
	 * @return the refund
	 */
	public static Refund ofAllBut(StatusSet statuses) {
		return new Refund("status other than " + statuses, (status) -> !statuses.contains(status));
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Refund that && this.text.equals(that.text);
	}

	@Override
	public int hashCode() {
		return this.text.hashCode();
	}

}
