package dev.ratelimit.benchmarks;

/**
 * One run of the benchmarks.
 *
 * @param settings its settings
 * @param redis the server it measures against
 * @param stats what that server did
 */
record Session(Settings settings, RedisAddress redis, RedisStats stats) {

}
