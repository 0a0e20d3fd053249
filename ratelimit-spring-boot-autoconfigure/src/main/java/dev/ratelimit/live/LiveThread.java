package dev.ratelimit.live;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the one thread on which rules and modes change, {@code ratelimit-live}. It
 * starts with the first task, and again after it was stopped. Thread-safe.
 */
public final class LiveThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LiveThread.class);

	private @Nullable ScheduledThreadPoolExecutor executor;

	/**
	 * Do something as soon as possible.
	 * @param task the work
	 */
	public void run(Runnable task) {
		later(Duration.ZERO, task);
	}

	/**
	 * Do something later.
	 * @param delay when
	 * @param task the work
	 * @return to cancel it
	 */
	synchronized Future<?> later(Duration delay, Runnable task) {
		ScheduledThreadPoolExecutor running = this.executor;
		if (running == null) {
			running = new ScheduledThreadPoolExecutor(1, LiveThread::thread);
			running.setRemoveOnCancelPolicy(true);
			this.executor = running;
		}
		return running.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-live");
		thread.setDaemon(true);
		return thread;
	}

	private static void guarded(Runnable task) {
		try {
			task.run();
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Stopped meanwhile", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A change of the rules failed", ex);
		}
	}

	@Override
	public synchronized void close() {
		if (this.executor != null) {
			this.executor.shutdownNow();
			this.executor = null;
		}
	}

}
