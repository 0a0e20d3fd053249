package dev.ratelimit.benchmarks.http;

import java.util.concurrent.CompletableFuture;

/**
 * Buckets that count nothing: each charge has the same result.
 */
final class FieldsAlone implements Buckets {

	private final CompletableFuture<Long> lacking;

	FieldsAlone(Numbers numbers) {
		this.lacking = CompletableFuture.completedFuture(1_000 * numbers.unitsPerToken());
	}

	@Override
	public CompletableFuture<Long> charge(String client) {
		return this.lacking;
	}

}
