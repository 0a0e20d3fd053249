package dev.ratelimit.ban;

/**
 * Internal: the maximum numbers of bans. Immutable.
 *
 * @param max how many at a time
 * @param perMinute how many strikes of one rule can impose in one minute, over all
 * instances
 */
public record BanLimits(int max, int perMinute) {
}
