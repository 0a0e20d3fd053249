package dev.ratelimit.engine;

import dev.ratelimit.Limit;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.LimitShare;

/**
 * Internal: the meaning of limits in the region of this instance. Immutable.
 *
 * @param here the name of the region; empty if there is one region
 * @param weight the percentage of a limit that is split between regions; 100 if there are
 * no weights
 */
public record RegionTerms(String here, int weight) {

	/** One region. */
	public static final RegionTerms NONE = new RegionTerms("", 100);

	private static final int HUNDRED_PERCENT = 100;

	/**
	 * Return the store of limits in this region. The store of this region is the default
	 * store.
	 * @param store the configured store of the limits
	 * @return the store that counts them
	 */
	public String store(String store) {
		return (store.equals(this.here)) ? LimitSet.DEFAULT_STORE : store;
	}

	/**
	 * The share of this region.
	 * @param limit a limit that is split
	 * @return the share
	 * @throws IllegalArgumentException if the share is less than one unit
	 */
	Limit share(Limit limit) {
		return LimitShare.of(limit, this.weight, HUNDRED_PERCENT);
	}

}
