package dev.ratelimit.benchmarks;

import java.util.Map;

/**
 * The number of calls of each command since the last CONFIG RESETSTAT.
 */
record CommandCounts(Map<String, Long> calls) {

	/**
	 * Return the number of all calls, without those that the benchmark itself sent to
	 * read the counts.
	 */
	long all() {
		return this.calls.entrySet()
			.stream()
			.filter((call) -> !call.getKey().startsWith("info") && !call.getKey().startsWith("config"))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

	long of(String command) {
		return this.calls.getOrDefault(command, 0L);
	}

}
