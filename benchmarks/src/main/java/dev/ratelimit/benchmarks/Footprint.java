package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * Measures the memory of very many buckets that were charged once.
 */
final class Footprint {

	private static final int AT_A_TIME = 1_000;

	private Footprint() {
	}

	static Figures inRedis(Contestant contestant, RedisStats redis, String prefix, int subjects) {
		redis.flush();
		long before = redis.usedMemory();
		chargeEach(contestant, Keys.create(prefix, subjects));
		double bytes = redis.usedMemory() - before;
		return new Figures(Map.of(Metric.REDIS_BYTES, bytes / subjects, Metric.REDIS_KEYS,
				redis.keys() / (double) subjects, Metric.KEY_BYTES, (double) redis.memoryUsage(redis.anyKey())));
	}

	static Figures inHeap(Contestant contestant, int subjects) throws InterruptedException {
		double before = heapInUse();
		for (int i = 0; i < subjects; i++) {
			requireAllowed(contestant.decideNow("u:" + i));
		}
		double bytes = heapInUse() - before;
		// The contestant is used again, so that the garbage collection above did not
		// remove its buckets.
		requireAllowed(contestant.decideNow("u:0"));
		return new Figures(Map.of(Metric.HEAP_BYTES, bytes / subjects));
	}

	static void chargeEach(Contestant contestant, String[] keys) {
		for (int i = 0; i < keys.length; i += AT_A_TIME) {
			CompletableFuture<?>[] decisions = new CompletableFuture<?>[Math.min(AT_A_TIME, keys.length - i)];
			for (int j = 0; j < decisions.length; j++) {
				decisions[j] = contestant.decide(keys[i + j])
					.thenAccept(Footprint::requireAllowed)
					.toCompletableFuture();
			}
			CompletableFuture.allOf(decisions).join();
		}
	}

	private static void requireAllowed(boolean allowed) {
		if (!allowed) {
			throw new IllegalStateException("Denied: raise the limit");
		}
	}

	// Caches do some of their work in the background, which takes a while.
	private static double heapInUse() throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(100);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
