package dev.ratelimit.store;

/**
 * What a charge leases from its bucket beyond its cost. A store that leases grants what
 * it has to spare, which may be nothing; one that does not lease grants nothing.
 * Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param holder the holder; each lease that is returned on its own has a name of its own
 * @param units units to lease at most; 0 for none
 * @param held units that the holder holds of this bucket still
 * @param millis after how long the lease is written off unless it is returned
 * @since 0.1.0
 */
public record LeaseRequest(String holder, long units, long held, long millis) {

	/** Nothing is leased. */
	public static final LeaseRequest NONE = new LeaseRequest("", 0, 0, 0);

}
