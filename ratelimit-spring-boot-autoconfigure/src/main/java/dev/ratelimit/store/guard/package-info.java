/**
 * The stage before a remote store: deadline, circuit breaker, failure policy.
 */
@NullMarked
package dev.ratelimit.store.guard;

import org.jspecify.annotations.NullMarked;
