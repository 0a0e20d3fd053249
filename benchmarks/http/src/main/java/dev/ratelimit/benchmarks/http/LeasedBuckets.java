package dev.ratelimit.benchmarks.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Buckets that lease many tokens from Redis at a time. This application spends the tokens
 * of a lease within at most two seconds. When half of the tokens are spent, the next
 * lease is fetched. If the bucket in Redis does not have enough tokens for a lease, each
 * token is charged in Redis.
 */
final class LeasedBuckets implements Buckets, AutoCloseable {

	private static final int TOKENS = 1_000;

	private static final Duration LENGTH = Duration.ofSeconds(2);

	private final Cache<String, Lease> leases = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(LENGTH)
		.build();

	private final RedisBuckets redis;

	private final long perToken;

	private final String[] many;

	LeasedBuckets(Numbers numbers) {
		this.redis = new RedisBuckets(numbers);
		this.perToken = numbers.unitsPerToken();
		this.many = this.redis.arguments(Math.max(1, Math.min(TOKENS, numbers.limit() / 10)));
	}

	@Override
	public CompletableFuture<Long> charge(String client) {
		Lease lease = this.leases.getIfPresent(client);
		if (lease != null) {
			long left = lease.left.decrementAndGet();
			if (left < TOKENS / 2 && lease.renewed.compareAndSet(false, true)) {
				fetch(client);
			}
			if (left >= 0) {
				return CompletableFuture.completedFuture(Math.max(this.perToken, lease.lacking - left * this.perToken));
			}
		}
		return fetch(client).thenCompose((fetched) -> (fetched) ? charge(client) : this.redis.charge(client));
	}

	private CompletableFuture<Boolean> fetch(String client) {
		return this.redis.charge(client, this.many).thenApply((lacking) -> {
			if (lacking < 0) {
				return false;
			}
			this.leases.put(client, new Lease(lacking, Long.parseLong(this.many[1]) / this.perToken));
			return true;
		});
	}

	@Override
	public void close() {
		this.redis.close();
	}

	/**
	 * Tokens that were leased together.
	 */
	private static final class Lease {

		private final long lacking;

		private final AtomicLong left;

		private final AtomicBoolean renewed = new AtomicBoolean();

		Lease(long lacking, long tokens) {
			this.lacking = lacking;
			this.left = new AtomicLong(tokens);
		}

	}

}
