package dev.ratelimit;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What clients are told of one limit of one rule: constant across responses. Immutable.
 *
 * @param name the policy's name in headers: the rule's id, with the window where the rule
 * has several limits
 * @param ruleId the rule's id
 * @param limit the limit; empty where a rule lets all pass, or nothing
 * @param windowSeconds seconds it takes to fill the whole capacity, rounded up; empty
 * below one second, and where there is no window
 * @param unit what is counted
 * @param shadow whether the rule only watches, so that clients are not told of it
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 * header fields for HTTP</a>
 * @since 0.1.0
 */
public record Policy(String name, String ruleId, Optional<Limit> limit, OptionalLong windowSeconds, Unit unit,
		boolean shadow) {

	/** Of refusals that are no rule's: all rules' together. No rule has its id. */
	public static final Policy ANY = new Policy("*", "*", Optional.empty(), OptionalLong.empty(), Unit.REQUESTS, false);

	/**
	 * What clients are told of a limit.
	 * @param name the policy's name in headers
	 * @param ruleId the rule's id
	 * @param limit the limit
	 * @param unit what is counted
	 * @param shadow whether the rule only watches
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
	 * What clients are told where another limit holds in the place of this one.
	 * @param other the other limit
	 * @return the policy of the other limit
	 */
	public Policy with(Limit other) {
		return new Policy(this.name, this.ruleId, other, this.unit, this.shadow);
	}

	/**
	 * The most that can be spent at once.
	 * @return the capacity in units; 0 without a limit
	 */
	public long capacity() {
		return this.limit.map(Limit::burst).orElse(0L);
	}

	/**
	 * Whether what is charged is only held while a request is under way.
	 * @return whether requests at a time are counted
	 */
	public boolean concurrent() {
		return this.unit == Unit.CONCURRENT_REQUESTS;
	}

	/**
	 * What a limit counts.
	 */
	public enum Unit {

		/** Requests, or what a request is said to cost. */
		REQUESTS,

		/** Bytes of requests' content. */
		CONTENT_BYTES,

		/** Requests under way at a time. */
		CONCURRENT_REQUESTS

	}

}
