package dev.ratelimit.telemetry;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sums of counts by name, for each minute of the last two hours. Only the largest sums
 * are kept, so all sums are lower bounds. Thread-safe.
 */
interface TopStore {

	/** The number of minutes that are kept. */
	int MINUTES = 120;

	/**
	 * The name of the sum of all rejections that were not counted by name. It is always
	 * kept.
	 */
	String MISSED = "missed";

	/**
	 * Add to the sums of a minute. Does not block.
	 * @param minute the minutes since 1970
	 * @param counts the counts to add, by name
	 * @return a future that completes when the counts have been added; fails if they may
	 * not have been added
	 */
	CompletableFuture<Void> add(long minute, Map<String, Long> counts);

	/**
	 * Read the sums of a minute. Does not block.
	 * @param minute the minutes since 1970
	 * @return the sums by name
	 */
	CompletableFuture<Map<String, Long>> read(long minute);

}
