package dev.ratelimit.engine;

import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.scheduler.Schedulers;
import reactor.util.concurrent.Queues;

/**
 * Decisions on their way to subscribers, one after the other, on one thread at a time.
 * Any thread may add one.
 */
final class HandOverLane implements Runnable {

	private static final Log logger = LogFactory.getLog(HandOverLane.class);

	/** Then the thread does what else waits for it. */
	private static final int MOST_IN_A_ROW = 256;

	private final Queue<Task> ready = Queues.<Task>unboundedMultiproducer().get();

	private final AtomicInteger waiting = new AtomicInteger();

	void add(Task task) {
		this.ready.add(task);
		if (this.waiting.getAndIncrement() == 0) {
			schedule();
		}
	}

	private void schedule() {
		try {
			Schedulers.parallel().schedule(this);
		}
		catch (RejectedExecutionException ex) {
			drain(Integer.MAX_VALUE, (task) -> task.reject(ex));
		}
	}

	@Override
	public void run() {
		drain(MOST_IN_A_ROW, Task::handOver);
	}

	// What is counted is there: it was added before.
	private void drain(int most, Consumer<Task> how) {
		int left = most;
		int present = this.waiting.get();
		while (present > 0 && left > 0) {
			int batch = Math.min(present, left);
			for (int i = 0; i < batch; i++) {
				end(this.ready.remove(), how);
			}
			left -= batch;
			present = this.waiting.addAndGet(-batch);
		}
		if (present > 0) {
			schedule();
		}
	}

	// Subscribers' code must not keep others from their decisions.
	private static void end(Task task, Consumer<Task> how) {
		try {
			how.accept(task);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A subscriber of a decision failed", ex);
		}
	}

	/**
	 * A decision on its way.
	 */
	interface Task {

		/**
		 * Give it to its subscriber.
		 */
		void handOver();

		/**
		 * Refund it, since no thread takes it to the subscriber.
		 * @param failure why not
		 */
		void reject(RejectedExecutionException failure);

	}

}
