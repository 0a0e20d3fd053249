package dev.ratelimit.store.slot;

import dev.ratelimit.store.AcquireRequest;

/**
 * The part of a request with the buckets of one slot.
 *
 * @param request the part as a request
 * @param positions the positions of its charges in the whole request; not copied, and
 * must not be changed
 */
record SlotPart(AcquireRequest request, int[] positions) {
}
