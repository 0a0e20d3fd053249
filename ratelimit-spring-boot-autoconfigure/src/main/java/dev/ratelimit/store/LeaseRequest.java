package dev.ratelimit.store;

/**
 * The units that a charge leases from its bucket beyond its cost. A store that supports
 * leases grants the units that it can spare, which may be none. Any other store grants
 * none. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param holder the holder; each lease that is returned on its own has a name of its own
 * @param units units to lease at most; 0 for none
 * @param held units that the holder holds of this bucket still
 * @param millis the time after which a lease that was not returned is written off
 * @since 0.1.0
 */
public record LeaseRequest(String holder, long units, long held, long millis) {

	/** Nothing is leased. */
	public static final LeaseRequest NONE = new LeaseRequest("", 0, 0, 0);

}
