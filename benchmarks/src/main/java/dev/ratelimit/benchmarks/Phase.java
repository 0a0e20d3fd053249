package dev.ratelimit.benchmarks;

enum Phase {

	WARMING_UP, MEASURING, STOPPED

}
