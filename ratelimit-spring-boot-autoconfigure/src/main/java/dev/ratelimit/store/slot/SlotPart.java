package dev.ratelimit.store.slot;

import dev.ratelimit.store.AcquireRequest;

/**
 * The part of a request whose buckets lie in one slot.
 *
 * @param request the part, itself a request
 * @param positions where its charges stand in the whole; not copied, and nobody changes
 * it
 */
record SlotPart(AcquireRequest request, int[] positions) {
}
