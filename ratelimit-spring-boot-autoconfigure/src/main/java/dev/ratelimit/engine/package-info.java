/**
 * Internal: editions of the rules, and decisions: rules and subjects in, one request to
 * the store, one decision out. May use rules, the contract of stores, and queues. Entered
 * by the gate and by {@code RateLimiter}.
 */
@NullMarked
package dev.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
