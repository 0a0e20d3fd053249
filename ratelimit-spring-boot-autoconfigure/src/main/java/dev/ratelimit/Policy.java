package dev.ratelimit;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Description of one limit of one rule for clients, the same in all responses. Immutable.
 *
 * @param name the policy's name in headers: the rule's id, with the window if the rule
 * has several limits
 * @param ruleId the rule's id
 * @param limit the limit; empty if a rule allows or rejects all requests
 * @param windowSeconds seconds to fill the whole capacity, rounded up; empty below one
 * second, and if there is no window
 * @param unit the unit of the limit
 * @param shadow whether the rule is in shadow mode, so that headers do not contain the
 * policy
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 * header fields for HTTP</a>
 * @since 0.1.0
 */
public record Policy(String name, String ruleId, Optional<Limit> limit, OptionalLong windowSeconds, Unit unit,
		boolean shadow) {

	/** The policy of rejections that belong to no rule. No rule has its id. */
	public static final Policy ANY = new Policy("*", "*", Optional.empty(), OptionalLong.empty(), Unit.REQUESTS, false);

	/**
	 * Create a policy of a limit.
	 * @param name the policy's name in headers
	 * @param ruleId the rule's id
	 * @param limit the limit
	 * @param unit the unit of the limit
	 * @param shadow whether the rule is in shadow mode
	 */
	public Policy(String name, String ruleId, Limit limit, Unit unit, boolean shadow) {
		this(name, ruleId, Optional.of(limit), windowSeconds(limit, unit), unit, shadow);
	}

	// Capacity over window never promises more than the true rate, so the window is the
	// time that the whole capacity takes to fill, rounded up.
	private static OptionalLong windowSeconds(Limit limit, Unit unit) {
		double fillMillis = limit.burst() * (double) limit.period().toMillis() / limit.quantity();
		boolean none = fillMillis < 1000 || unit == Unit.CONCURRENT_REQUESTS;
		return (none) ? OptionalLong.empty() : OptionalLong.of((long) Math.ceil(fillMillis / 1000));
	}

	/**
	 * Return the capacity: units that can be spent at once.
	 * @return the capacity in units; 0 without a limit
	 */
	public long capacity() {
		return this.limit.map(Limit::burst).orElse(0L);
	}

	/**
	 * Return whether the limit counts concurrent requests.
	 * @return whether concurrent requests are counted
	 */
	public boolean concurrent() {
		return this.unit == Unit.CONCURRENT_REQUESTS;
	}

	/**
	 * The unit of a limit.
	 */
	public enum Unit {

		/** Requests, or their costs. */
		REQUESTS,

		/** Bytes of request bodies. */
		CONTENT_BYTES,

		/** Concurrent requests. */
		CONCURRENT_REQUESTS

	}

}
