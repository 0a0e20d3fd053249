package dev.ratelimit.benchmarks;

/**
 * One run of the benchmarks.
 *
 * @param settings what it was told
 * @param redis the server it measures against
 * @param stats what that server did
 */
record Session(Settings settings, RedisAddress redis, RedisStats stats) {

}
