package dev.ratelimit.benchmarks;

import java.util.Map;

/**
 * Calls per command since the last CONFIG RESETSTAT.
 */
record CommandCounts(Map<String, Long> calls) {

	long of(String command) {
		return this.calls.getOrDefault(command, 0L);
	}

}
