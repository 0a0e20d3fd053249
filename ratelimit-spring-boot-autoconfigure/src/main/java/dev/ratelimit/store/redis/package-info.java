/**
 * Internal: buckets in Redis by Lua scripts, and the connection to Redis. May use the
 * contract of stores; nothing else uses the client. Entered by the stages before it, and
 * by capabilities that keep something in Redis.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
