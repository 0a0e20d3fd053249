package dev.ratelimit.store;

/**
 * Internal: the unused units of a lease, to be returned. Immutable.
 *
 * @param bucket the bucket
 * @param holder the holder of the lease
 * @param takenAtMillis the store's time of the lease
 * @param units the units that were not spent
 * @param millis the duration of the lease
 */
public record LeaseReturn(Bucket bucket, String holder, long takenAtMillis, long units, long millis) {
}
