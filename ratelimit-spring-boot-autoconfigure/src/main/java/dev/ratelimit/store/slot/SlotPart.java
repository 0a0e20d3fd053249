package dev.ratelimit.store.slot;

import dev.ratelimit.store.AcquireRequest;

/**
 * The part of a demand whose buckets lie in one slot.
 *
 * @param demand the part, itself a demand
 * @param positions where its charges stand in the whole; not copied, and nobody changes
 * it
 */
record SlotPart(AcquireRequest demand, int[] positions) {
}
