/**
 * Internal: buckets in Redis by Lua scripts, and the connection to Redis. May use the
 * contract of stores; no other package uses the client. Entered by the stages before it,
 * and by capabilities that keep data in Redis.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
