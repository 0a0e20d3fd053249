/**
 * The stage that remembers which strict buckets the store has said to be exhausted, so
 * that a flood of rejected requests costs neither a call nor a deadline.
 */
@NullMarked
package dev.ratelimit.store.denial;

import org.jspecify.annotations.NullMarked;
