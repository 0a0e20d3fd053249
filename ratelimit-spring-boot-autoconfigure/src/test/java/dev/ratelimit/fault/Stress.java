package dev.ratelimit.fault;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/**
 * What an application does to itself.
 */
final class Stress {

	/** Of the heap of a {@link ChildProcess}, about half. */
	private static final int LIVE_ARRAYS = 500_000;

	private static final int ARRAY_LENGTH = 240;

	private Stress() {
	}

	/**
	 * Threads that never rest.
	 */
	static int busy(int threads) {
		for (int i = 0; i < threads; i++) {
			start("busy-" + i, () -> {
				while (!Thread.currentThread().isInterrupted()) {
					Thread.onSpinWait();
				}
			});
		}
		return threads;
	}

	/**
	 * A large heap of small objects, each of which is replaced all the time.
	 */
	static int garbage() {
		start("garbage", () -> {
			byte[][] live = new byte[LIVE_ARRAYS][];
			SplittableRandom random = new SplittableRandom(1);
			while (!Thread.currentThread().isInterrupted()) {
				live[random.nextInt(LIVE_ARRAYS)] = new byte[ARRAY_LENGTH];
			}
		});
		return LIVE_ARRAYS;
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	static long collectionMillis() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong(GarbageCollectorMXBean::getCollectionTime)
			.sum();
	}

}
