/**
 * Internal: buckets in this process. May use the contract of stores. Entered by the
 * engine, or by the guard while Redis does not respond.
 */
@NullMarked
package dev.ratelimit.store.memory;

import org.jspecify.annotations.NullMarked;
