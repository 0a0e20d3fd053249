/**
 * The contract of stores: requests and results. May use algorithms. Entered by the
 * engine; each stage before a store implements it too.
 */
@NullMarked
package dev.ratelimit.store;

import org.jspecify.annotations.NullMarked;
