package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests many more subjects than the cache has room for, charged on several buckets at
 * once. The cache evicts buckets while others are being charged.
 */
class MemoryPressureTests {

	private static final int THREADS = 8;

	private static final int DEMANDS = 20_000;

	private final long startNanos = System.nanoTime();

	private final MemoryLimitStore store = new MemoryLimitStore(16,
			() -> Duration.ofNanos(System.nanoTime() - this.startNanos).toMillis());

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void allThreadsFinishUnderMemoryPressure() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Integer>> loops = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				SplittableRandom random = new SplittableRandom(i);
				loops.add(() -> spray(random));
			}
			for (Future<Integer> loop : threads.invokeAll(loops)) {
				assertThat(loop.get(1, TimeUnit.SECONDS)).isEqualTo(DEMANDS);
			}
			assertThat(this.store.liveEvictions()).isPositive();
		}
		finally {
			threads.shutdownNow();
		}
	}

	private int spray(SplittableRandom random) {
		BucketFamily first = Demands.perMinute("first", 1_000_000);
		BucketFamily second = Demands.perMinute("second", 1_000_000);
		int answered = 0;
		for (int i = 0; i < DEMANDS; i++) {
			String one = "s" + random.nextInt(100);
			String two = "s" + random.nextInt(100);
			this.store
				.acquire(new AcquireRequest(List.of(Demands.charge(first, one, 1), Demands.charge(second, two, 1),
						Demands.charge(first, one + "b", 1)), Optional.empty(), Long.MAX_VALUE))
				.join();
			answered++;
		}
		return answered;
	}

}
