/**
 * Internal: the stage that remembers which strict buckets the store has reported as
 * exhausted, so that a flood of rejected requests costs no call. May use the contract of
 * stores. Entered by the engine or the stage before.
 */
@NullMarked
package dev.ratelimit.store.denial;

import org.jspecify.annotations.NullMarked;
