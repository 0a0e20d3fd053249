package dev.ratelimit.store;

/**
 * What is left of a loan, to be given back. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param bucket the bucket
 * @param borrower who has borrowed
 * @param takenAtMillis the store's time of the loan
 * @param units units that were not spent
 * @param millis how long the loan lasts
 * @since 0.1.0
 */
public record LeaseReturn(Bucket bucket, String borrower, long takenAtMillis, long units, long millis) {
}
