/**
 * Rules, switches, and the list of instances in Redis.
 */
@NullMarked
package dev.ratelimit.live.redis;

import org.jspecify.annotations.NullMarked;
