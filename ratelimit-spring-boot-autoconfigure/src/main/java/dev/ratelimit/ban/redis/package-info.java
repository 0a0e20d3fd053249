/**
 * Bans in Redis, which all instances share.
 */
@NullMarked
package dev.ratelimit.ban.redis;

import org.jspecify.annotations.NullMarked;
