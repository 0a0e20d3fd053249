package dev.ratelimit.store;

/**
 * Internal: where charges are corrected. Immutable.
 *
 * @param store the first stage, which every correction passes
 * @param estimated whether the cost comes from the request, so that it is an estimate
 */
public record Corrections(LimitStore store, boolean estimated) {

}
