package dev.ratelimit.store.slot;

import dev.ratelimit.store.AcquireRequest;

/**
 * The part of a request whose buckets lie in one slot.
 *
 * @param request the part, itself a request
 * @param positions where its charges stand in the whole; not copied, and must not be
 * changed
 */
record SlotPart(AcquireRequest request, int[] positions) {
}
