package dev.ratelimit.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Internal: the result of a renewal of slots. It may fail for some of the buckets only,
 * because buckets are in different stores or in different slots of a cluster.
 *
 * @param lost the number of renewed buckets in which the slots of the instance had
 * expired
 * @param failed the buckets that were not renewed, or possibly not
 */
public record SlotRenewal(int lost, Set<Bucket> failed) {

	/** All buckets are renewed, and no slots were lost. */
	public static final SlotRenewal DONE = new SlotRenewal(0, Set.of());

	public SlotRenewal {
		failed = Set.copyOf(failed);
	}

	/**
	 * Return the result if all buckets were renewed.
	 * @param lost the number of buckets in which the slots of the instance had expired
	 * @return the result
	 */
	public static SlotRenewal done(int lost) {
		return (lost == 0) ? DONE : new SlotRenewal(lost, Set.of());
	}

	/**
	 * Return the result if no bucket was renewed.
	 * @param buckets the buckets
	 * @return the result
	 */
	public static SlotRenewal failed(Collection<Bucket> buckets) {
		return new SlotRenewal(0, Set.copyOf(buckets));
	}

	/**
	 * Combine the results of several renewals.
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
