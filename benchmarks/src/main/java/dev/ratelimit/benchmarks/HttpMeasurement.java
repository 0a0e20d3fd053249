package dev.ratelimit.benchmarks;

/**
 * One row of one round.
 */
record HttpMeasurement(double requestsPerSecond, double p50Millis, double p99Millis, double applicationMicros,
		double redisMicros, double redisCalls) {

}
