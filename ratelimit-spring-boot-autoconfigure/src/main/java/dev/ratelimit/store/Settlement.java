package dev.ratelimit.store;

/**
 * Corrects a charge that was taken. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param bucket the bucket
 * @param takenAtMillis the store's time of the charge
 * @param units the units to add to the charge; negative to refund
 * @since 0.1.0
 */
public record Settlement(Bucket bucket, long takenAtMillis, long units) {
}
