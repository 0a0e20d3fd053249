package dev.ratelimit.store;

/**
 * The units that a charge leases from its bucket beyond its cost. A store that supports
 * leases grants the units that it can spare, possibly none. Other stores grant none.
 * Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param holder the name of the holder, unique for each lease that is returned separately
 * @param units the maximum number of units to lease; 0 for none
 * @param held the units of this bucket that the holder still has
 * @param millis the time after which a lease that was not returned is written off
 * @since 0.1.0
 */
public record LeaseRequest(String holder, long units, long held, long millis) {

	/** Leases no units. */
	public static final LeaseRequest NONE = new LeaseRequest("", 0, 0, 0);

}
