package dev.ratelimit.algorithm;

/**
 * What a bucket shows. Quantities are rounded down, waits up.
 *
 * @param fits whether the cost fitted
 * @param remaining whole units left, never negative
 * @param retryAfterMillis 0 if it fitted, else the least wait after which the same cost
 * fits, or {@link dev.ratelimit.Verdict#NEVER}
 * @param resetAfterMillis least wait after which the bucket is full
 * @param nextUnitMillis least wait after which the remaining grows, 0 if full
 * @since 0.1.0
 */
public record Reading(boolean fits, long remaining, long retryAfterMillis, long resetAfterMillis, long nextUnitMillis) {
}
