package dev.ratelimit.rule;

import java.util.function.IntPredicate;

/**
 * Internal: the requests whose charge is refunded when they are completed. They are
 * charged first and refunded afterwards, so that concurrent requests cannot exceed a
 * limit. Immutable.
 *
 * @param text a readable description
 * @param condition the statuses of responses that refund
 */
public record Refund(String text, IntPredicate condition) {

	/** A refund of no request. */
	public static final Refund NEVER = new Refund("never", (status) -> false);

	/**
	 * Return the refund of requests whose response has one of some statuses.
	 * @param statuses the statuses
	 * @return the refund
	 */
	public static Refund of(StatusSet statuses) {
		return new Refund("status " + statuses, statuses::contains);
	}

	/**
	 * Return the refund of all requests but those whose response has one of some
	 * statuses.
	 * @param statuses the statuses that count
	 * @return the refund
	 */
	static Refund ofAllBut(StatusSet statuses) {
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
