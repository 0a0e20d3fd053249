package dev.ratelimit.store;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: runs listeners of the application, one task after the other, on a separate
 * thread, so that no thread of the library waits for them. The thread starts with the
 * first task. Tasks beyond the bound are dropped, which is logged once. Thread-safe.
 */
public final class CallbackThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(CallbackThread.class);

	private final ThreadPoolExecutor executor;

	private final String name;

	private volatile boolean dropped;

	/**
	 * Create a thread that has not started yet.
	 * @param name its name
	 * @param maxWaiting the maximum number of waiting tasks
	 */
	public CallbackThread(String name, int maxWaiting) {
		this.name = name;
		this.executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(maxWaiting),
				(task) -> {
					Thread thread = new Thread(task, name);
					thread.setDaemon(true);
					return thread;
				});
	}

	/**
	 * Run a task later. Does not block.
	 * @param task the task; its exceptions are logged
	 */
	public void execute(Runnable task) {
		try {
			this.executor.execute(() -> run(task));
		}
		catch (RejectedExecutionException ex) {
			if (!this.executor.isShutdown() && !this.dropped) {
				this.dropped = true;
				logger.warn("Listeners on the thread '" + this.name + "' are too slow; some calls were dropped", ex);
			}
		}
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A listener failed", ex);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
