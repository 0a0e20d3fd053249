package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

/**
 * Makes decisions for one row of a table.
 */
interface Contestant extends AutoCloseable {

	CompletionStage<Boolean> decide(String key);

	/**
	 * Make a decision and wait for it, as blocking code does.
	 */
	default boolean decideNow(String key) {
		return decide(key).toCompletableFuture().join();
	}

	/**
	 * Return whether the contestant limits. Some rows only show the cost of a connection.
	 */
	default boolean limits() {
		return true;
	}

	/**
	 * Prepare keys, as an application does once for each key before its first decision.
	 */
	default void prepare(String[] keys) {
	}

	/**
	 * Return the number of commands that this client sent. Redis also counts the commands
	 * that a script runs, both in commandstats and in total_commands_processed. The
	 * default therefore counts only calls of scripts and PINGs, because all other counted
	 * commands ran in a script. A contestant that also sends plain commands must subtract
	 * the commands of its scripts.
	 */
	default long calls(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval") + counts.of("ping");
	}

	@Override
	void close();

}
