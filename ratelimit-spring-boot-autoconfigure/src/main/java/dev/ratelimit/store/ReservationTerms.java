package dev.ratelimit.store;

/**
 * Internal: the terms that all reservations of a rule's charges share. Immutable.
 *
 * @param store the first stage, which every correction passes
 * @param estimated whether the cost comes from the request, so that it is an estimate
 */
public record ReservationTerms(StoreStage store, boolean estimated) {

}
