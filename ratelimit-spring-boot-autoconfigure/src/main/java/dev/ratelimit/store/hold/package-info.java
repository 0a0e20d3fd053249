/**
 * Internal: the stage that keeps the slots of this instance and renews them in batches.
 * May use the contract of stores. Entered by the stages before it.
 */
@NullMarked
package dev.ratelimit.store.hold;

import org.jspecify.annotations.NullMarked;
