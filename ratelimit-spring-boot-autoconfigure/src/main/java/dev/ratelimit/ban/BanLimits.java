package dev.ratelimit.ban;

/**
 * Internal: the maximum numbers of bans. Immutable.
 *
 * @param max the maximum number of bans at a time
 * @param perMinute the maximum number of bans that strikes of one rule can impose in one
 * minute, over all instances
 */
public record BanLimits(int max, int perMinute) {
}
