/**
 * Internal: the stage that reports charges on limits that regions share to the stores of
 * the other regions. May use the contract of stores. Entered by the stages before it.
 */
@NullMarked
package dev.ratelimit.store.region;

import org.jspecify.annotations.NullMarked;
