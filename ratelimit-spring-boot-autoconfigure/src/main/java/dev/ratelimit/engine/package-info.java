/**
 * Internal: editions of the rules, and decisions. A decision evaluates all rules and
 * subjects of a request with one call of the store. May use rules, the contract of
 * stores, and queues. Entered by the gate and by {@code RateLimiter}.
 */
@NullMarked
package dev.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
