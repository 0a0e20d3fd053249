/**
 * Buckets counted in this process.
 */
@NullMarked
package dev.ratelimit.store.memory;

import org.jspecify.annotations.NullMarked;
