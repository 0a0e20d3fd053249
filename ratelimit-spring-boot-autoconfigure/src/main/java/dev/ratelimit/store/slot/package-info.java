/**
 * The stage that splits requests by slots, where a store has them, and undoes what was
 * taken in some of them.
 */
@NullMarked
package dev.ratelimit.store.slot;

import org.jspecify.annotations.NullMarked;
