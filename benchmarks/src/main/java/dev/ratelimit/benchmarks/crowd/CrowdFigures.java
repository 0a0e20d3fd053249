package dev.ratelimit.benchmarks.crowd;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of a crowd of requests or connections.
 *
 * @param held the number of requests or connections that were held
 * @param threadsBefore the number of platform threads of the server before it held them
 * @param threads the number of platform threads while it held them
 * @param bytes the number of bytes on the heap for each of them
 * @param redis the share of one core that Redis used; NaN without Redis
 * @param answers the number of responses by status
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
