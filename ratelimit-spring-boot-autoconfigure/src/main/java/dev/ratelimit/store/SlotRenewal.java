package dev.ratelimit.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Internal: the result of a renewal of slots. Some buckets may have failed where others
 * are renewed: they lie in other stores, or in other slots of a cluster.
 *
 * @param lost how many of the renewed buckets did not know the instance any more
 * @param failed the buckets that were not renewed, or perhaps not
 */
public record SlotRenewal(int lost, Set<Bucket> failed) {

	/** All are renewed, and none was lost. */
	public static final SlotRenewal DONE = new SlotRenewal(0, Set.of());

	public SlotRenewal {
		failed = Set.copyOf(failed);
	}

	/**
	 * All buckets are renewed.
	 * @param lost how many did not know the instance any more
	 * @return the result
	 */
	public static SlotRenewal done(int lost) {
		return (lost == 0) ? DONE : new SlotRenewal(lost, Set.of());
	}

	/**
	 * No bucket is renewed.
	 * @param buckets the buckets
	 * @return the result
	 */
	public static SlotRenewal failed(Collection<Bucket> buckets) {
		return new SlotRenewal(0, Set.copyOf(buckets));
	}

	/**
	 * The result of several renewals.
	 * @param parts the results, of different buckets
	 * @return the result of all
	 */
	public static SlotRenewal of(Collection<SlotRenewal> parts) {
		int lost = 0;
		Set<Bucket> failed = new HashSet<>();
		for (SlotRenewal part : parts) {
			lost += part.lost();
			failed.addAll(part.failed());
		}
		return new SlotRenewal(lost, failed);
	}

}
