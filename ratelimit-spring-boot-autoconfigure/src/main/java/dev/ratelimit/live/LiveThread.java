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
 * Internal: the single thread {@code ratelimit-live}, on which rules and modes change. It
 * starts with the first task, also after it was stopped. Thread-safe.
 */
public final class LiveThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LiveThread.class);

	private @Nullable ScheduledThreadPoolExecutor executor;

	/**
	 * Run a task as soon as possible.
	 * @param task the task
	 */
	public void run(Runnable task) {
		later(Duration.ZERO, task);
	}

	/**
	 * Run a task later.
	 * @param delay the delay
	 * @param task the task
	 * @return the future, to cancel the task
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
