package dev.ratelimit.benchmarks;

/**
 * One run of the benchmarks.
 *
 * @param settings the settings of the run
 * @param redis the server of the measurement
 * @param stats the statistics of the server
 */
record Session(Settings settings, RedisAddress redis, RedisStats stats) {

}
