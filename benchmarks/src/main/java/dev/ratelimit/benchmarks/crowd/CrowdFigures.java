package dev.ratelimit.benchmarks.crowd;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a crowd costs.
 *
 * @param held requests or connections that were held
 * @param threadsBefore platform threads of the server before
 * @param threads platform threads while it held them
 * @param bytes bytes on the heap for each
 * @param redis use of Redis' core; no number without Redis
 * @param answers how many responses had which status
 */
record CrowdFigures(int held, int threadsBefore, int threads, long bytes, double redis, Map<String, Integer> answers) {

	static final String HEADER = "|  | held | threads before | threads | bytes each | of a Redis core | responses |\n"
			+ "| --- | ---: | ---: | ---: | ---: | ---: | --- |\n";

	String line(String name) {
		StringBuilder statuses = new StringBuilder();
		new TreeMap<>(this.answers).forEach((status, count) -> statuses.append((statuses.isEmpty()) ? "" : ", ")
			.append("%d × %s".formatted(count, status)));
		return String.format(Locale.ROOT, "| %s | %,d | %d | %d | %,d | %s | %s |%n", name, this.held,
				this.threadsBefore, this.threads, this.bytes,
				(Double.isNaN(this.redis)) ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * this.redis), statuses);
	}

}
