/**
 * Internal: the stage before a remote store: deadline, circuit breaker, failure policies,
 * debts. May use the contract of stores. Entered by the stages before it; the actuator
 * reads its status.
 */
@NullMarked
package dev.ratelimit.store.guard;

import org.jspecify.annotations.NullMarked;
