package dev.ratelimit.test.redis;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Computes a value once for the JVM. A failure is kept too, so that every later test
 * fails immediately with the original reason.
 *
 * @param <T> the type of the value
 */
final class Once<T> {

	private final FutureTask<T> task;

	Once(Callable<T> value) {
		this.task = new FutureTask<>(value);
	}

	T get() {
		this.task.run();
		try {
			return this.task.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause().getMessage(), ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while waiting for a test redis", ex);
		}
	}

}
