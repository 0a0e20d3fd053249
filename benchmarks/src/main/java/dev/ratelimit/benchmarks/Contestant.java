package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

/**
 * Something that decides, for one row of a table.
 */
interface Contestant extends AutoCloseable {

	CompletionStage<Boolean> decide(String key);

	/**
	 * As code that waits for the answer does.
	 */
	default boolean decideNow(String key) {
		return decide(key).toCompletableFuture().join();
	}

	/**
	 * Whether it limits at all: some rows only show what a connection costs.
	 */
	default boolean limits() {
		return true;
	}

	/**
	 * What an application does once for each key, before its first decision.
	 */
	default void prepare(String[] keys) {
	}

	/**
	 * The commands this client sent itself. Redis counts the commands a script runs as
	 * well, in commandstats and in total_commands_processed alike, so the default counts
	 * script calls and PINGs only: whatever else is in the counters ran in a script. A
	 * contestant that also sends plain commands has to subtract the commands of its
	 * scripts.
	 */
	default long calls(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval") + counts.of("ping");
	}

	@Override
	void close();

}
