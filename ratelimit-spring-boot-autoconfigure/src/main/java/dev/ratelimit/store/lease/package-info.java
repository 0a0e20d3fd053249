/**
 * Internal: the stage that spends units which the instance has leased in advance. May use
 * the contract of stores. Entered by the stage before it.
 */
@NullMarked
package dev.ratelimit.store.lease;

import org.jspecify.annotations.NullMarked;
