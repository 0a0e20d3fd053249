package dev.ratelimit.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Many threads that start at the same moment.
 */
public final class Parallel {

	private static final int TIMEOUT_SECONDS = 60;

	private Parallel() {
	}

	/**
	 * Run a task on the given number of threads and wait for all.
	 * @return the result of each thread
	 * @throws AssertionError if a task fails or does not end in time
	 */
	public static <T> List<T> run(int threads, IntFunction<T> task) {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		CyclicBarrier start = new CyclicBarrier(threads);
		try {
			List<Future<T>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int number = i;
				Callable<T> work = () -> {
					start.await();
					return task.apply(number);
				};
				futures.add(executor.submit(work));
			}
			return results(futures);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static <T> List<T> results(List<Future<T>> futures) {
		List<T> results = new ArrayList<>();
		try {
			for (Future<T> future : futures) {
				results.add(future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
			}
			return results;
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new AssertionError("the threads did not come to a good end", ex);
		}
	}

}
