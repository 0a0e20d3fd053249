package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

/**
 * One open row of the table: something that decides against Redis without blocking.
 */
interface Contestant extends AutoCloseable {

	CompletionStage<Boolean> decide(String key);

	/**
	 * The commands this client sent itself. Redis counts the commands a script runs as
	 * well, in commandstats and in total_commands_processed alike, so the default counts
	 * script calls and PINGs only: whatever else is in the counters ran in a script. A
	 * contestant that also sends plain commands has to tell the two apart.
	 */
	default long clientCommands(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval") + counts.of("ping");
	}

	@Override
	void close();

}
