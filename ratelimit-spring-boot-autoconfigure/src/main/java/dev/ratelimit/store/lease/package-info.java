/**
 * The stage before a shared store that spends units leased in advance.
 */
@NullMarked
package dev.ratelimit.store.lease;

import org.jspecify.annotations.NullMarked;
