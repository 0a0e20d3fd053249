package dev.ratelimit.store;

/**
 * Internal: finds buckets of a store that lie together. Only buckets of one slot can be
 * charged by one call. Thread-safe; nothing blocks.
 */
public interface BucketSlots {

	/**
	 * The slot of a bucket, which never changes.
	 * @param bucket the bucket
	 * @return the slot's number
	 */
	int slotOf(Bucket bucket);

	/**
	 * Whether two buckets can be seen to share a slot, without working it out.
	 * @param one a bucket
	 * @param other another bucket
	 * @return whether they certainly do
	 */
	boolean together(Bucket one, Bucket other);

	/**
	 * Whether a bucket is charged without a call, so that its part of a request is
	 * charged before the others: a rejection there costs no call.
	 * @param bucket the bucket
	 * @return whether it is in the memory of this instance
	 */
	default boolean isLocal(Bucket bucket) {
		return false;
	}

}
