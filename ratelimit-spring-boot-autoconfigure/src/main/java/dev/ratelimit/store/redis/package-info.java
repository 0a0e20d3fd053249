/**
 * Buckets counted in Redis by Lua scripts.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
