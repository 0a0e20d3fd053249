package dev.ratelimit.fault;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/**
 * Puts load on the application from within.
 */
final class Stress {

	/**
	 * The number of arrays that fill about half of the heap of a {@link ChildProcess}.
	 */
	private static final int LIVE_ARRAYS = 500_000;

	private static final int ARRAY_LENGTH = 240;

	private Stress() {
	}

	/**
	 * Start threads that continuously use a processor.
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
	 * Fill the heap with small objects and replace them continuously.
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
