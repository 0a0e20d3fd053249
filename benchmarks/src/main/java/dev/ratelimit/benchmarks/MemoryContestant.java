package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A contestant that decides immediately, on the calling thread.
 */
interface MemoryContestant extends Contestant {

	@Override
	default CompletionStage<Boolean> decide(String key) {
		return CompletableFuture.completedFuture(decideNow(key));
	}

	@Override
	boolean decideNow(String key);

	@Override
	default void close() {
	}

}
