package dev.ratelimit.benchmarks.http;

import java.util.concurrent.CompletableFuture;

/**
 * The token buckets of clients. Each implementation keeps them in a different place.
 */
interface Buckets {

	/**
	 * Charge a token.
	 * @param client the client
	 * @return the number of units that the bucket lacks to be full, after the charge; if
	 * the bucket has no token, nothing is charged, and the result is the negative number
	 * of units that it would lack
	 */
	CompletableFuture<Long> charge(String client);

}
