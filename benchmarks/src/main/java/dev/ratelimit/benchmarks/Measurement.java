package dev.ratelimit.benchmarks;

/**
 * One cell of one round.
 */
record Measurement(double decisionsPerSecond, double p50Millis, double p99Millis, double callsPerDecision,
		double clientMicros, double clientBytes, double redisMicros) {

}
