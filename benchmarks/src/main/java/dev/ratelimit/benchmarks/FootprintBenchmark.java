package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;

/**
 * What a bucket takes of a server's memory, by algorithm: as growth of the memory in use
 * over very many buckets that were charged once, and as the server says of one key.
 */
public final class FootprintBenchmark {

	private static final int BUCKETS = Integer.getInteger("buckets", 1_000_000);

	private static final int AT_A_TIME = 10_000;

	private FootprintBenchmark() {
	}

	public static void main(String[] args) throws Exception {
		try (RedisServer server = RedisServer.obtain(); RedisStats redis = new RedisStats(server.address())) {
			System.out.printf(Locale.ROOT, "Redis %s, %,d buckets%n%n", redis.version(), BUCKETS);
			System.out.println("| algorithm | bytes a bucket | MEMORY USAGE | key |");
			System.out.println("|---|---:|---:|---|");
			for (String algorithm : Algorithms.ids()) {
				measure(server.address(), redis, algorithm);
			}
		}
	}

	private static void measure(RedisAddress address, RedisStats redis, String algorithm) {
		redis.flush();
		long before = redis.usedMemory();
		// Long enough that none is forgotten meanwhile.
		fill(address, OurRedis.family(OurRedis.plenty(algorithm, 86_400 * 30)));
		double each = (redis.usedMemory() - before) / (double) BUCKETS;
		String key = redis.anyKey();
		System.out.printf(Locale.ROOT, "| %s | %.0f | %d | `%s` |%n", algorithm, each, redis.memoryUsage(key), key);
	}

	private static void fill(RedisAddress address, BucketFamily family) {
		try (RedisConnector connector = OurRedis.connect(address)) {
			RedisLimitStore store = new RedisLimitStore(connector, "rl");
			CompletableFuture<?>[] answers = new CompletableFuture<?>[AT_A_TIME];
			for (int i = 0; i < BUCKETS; i += AT_A_TIME) {
				for (int j = 0; j < AT_A_TIME; j++) {
					answers[j] = charge(store, family, i + j);
				}
				CompletableFuture.allOf(answers).join();
			}
		}
	}

	private static CompletableFuture<AcquireResult> charge(RedisLimitStore store, BucketFamily family, int number) {
		String subject = "u:%07d".formatted(number);
		return store.acquire(
				new AcquireRequest(List.of(StoreContestant.charge(family, subject)), Optional.empty(), Long.MAX_VALUE));
	}

}
