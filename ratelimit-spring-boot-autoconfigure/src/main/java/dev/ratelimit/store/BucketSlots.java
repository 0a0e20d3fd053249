package dev.ratelimit.store;

/**
 * Internal: determines the slots of the buckets of a store. Only buckets of one slot can
 * be charged by one call. Thread-safe; no method blocks.
 */
public interface BucketSlots {

	/**
	 * Return the slot of a bucket, which never changes.
	 * @param bucket the bucket
	 * @return the slot's number
	 */
	int slotOf(Bucket bucket);

	/**
	 * Whether two buckets share a slot, if that is known without computing the slots.
	 * @param one a bucket
	 * @param other another bucket
	 * @return true if they certainly share a slot; false if they may not
	 */
	boolean together(Bucket one, Bucket other);

	/**
	 * Whether a bucket is charged without a call. Such a part of a request is charged
	 * first, because its rejection saves the calls for the other parts.
	 * @param bucket the bucket
	 * @return whether it is in the memory of this instance
	 */
	default boolean isLocal(Bucket bucket) {
		return false;
	}

}
