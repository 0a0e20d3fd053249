package dev.ratelimit.benchmarks.http;

import java.util.concurrent.CompletableFuture;

/**
 * Buckets of clients, kept somewhere.
 */
interface Buckets {

	/**
	 * Charge a token.
	 * @param client the client
	 * @return the units that its bucket lacks after that; negative, and what it would
	 * lack, if it has no token
	 */
	CompletableFuture<Long> charge(String client);

}
