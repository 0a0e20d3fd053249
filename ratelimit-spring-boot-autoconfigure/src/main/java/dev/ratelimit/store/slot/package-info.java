/**
 * Internal: the stage that splits requests by the slots of a cluster, and refunds the
 * charges of a part if another part is rejected. May use the contract of stores. Entered
 * by the stages before it.
 */
@NullMarked
package dev.ratelimit.store.slot;

import org.jspecify.annotations.NullMarked;
