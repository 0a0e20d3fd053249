package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: runs the recurring work of an instance. One thread only schedules rounds; a
 * few other threads, created on demand, run them. The rounds of a task never overlap, so
 * a round that hangs occupies one thread and the other tasks continue. An exception of a
 * round does not end its task. A round that finds no free thread waits for one: there are
 * never more waiting rounds than tasks. Thread-safe.
 */
public final class Upkeep implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Upkeep.class);

	/**
	 * Four tasks may take long: the doctor's checks run code of the application, and the
	 * self-test and the polls of bans and of live rules wait for Redis. Turns of waiting
	 * requests must find a free thread even then.
	 */
	static final int MAX_THREADS = 8;

	private static final Duration IDLE = Duration.ofSeconds(10);

	/** The delay before the next attempt of a round that found no free thread. */
	private static final Duration BUSY = Duration.ofMillis(20);

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
			(task) -> thread(task, "ratelimit-timer"));

	private final ThreadPoolExecutor workers;

	/** Create an upkeep. No thread starts before the first task. */
	public Upkeep() {
		this((task) -> thread(task, "ratelimit-upkeep"));
	}

	Upkeep(ThreadFactory threads) {
		this.workers = new ThreadPoolExecutor(0, MAX_THREADS, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), threads);
		this.timer.setRemoveOnCancelPolicy(true);
	}

	private static Thread thread(Runnable task, String name) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Run a task repeatedly.
	 * @param first the delay before the first round
	 * @param pause the pause after each round
	 * @param failure the message to log when a round throws an exception of another class
	 * than the previous round
	 * @param round the work of a round
	 * @return the task, which runs until it is closed
	 */
	public Task start(Duration first, Duration pause, String failure, Runnable round) {
		return start(first, () -> pause, failure, round);
	}

	/**
	 * Run a task repeatedly, with pauses of different lengths.
	 * @param first the delay before the first round
	 * @param pause supplies the pause after each round
	 * @param failure the message to log when a round throws an exception of another class
	 * than the previous round
	 * @param round the work of a round
	 * @return the task, which runs until it is closed
	 */
	public Task start(Duration first, Supplier<Duration> pause, String failure, Runnable round) {
		Task task = new Task(Optional.of(pause), failure, round);
		task.startIn(first);
		return task;
	}

	/**
	 * Run a task once.
	 * @param delay the delay before the work
	 * @param failure the message to log when the work throws an exception
	 * @param work the work
	 * @return the task
	 */
	public Task once(Duration delay, String failure, Runnable work) {
		Task task = new Task(Optional.empty(), failure, work);
		task.startIn(delay);
		return task;
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		this.workers.shutdownNow();
	}

	/**
	 * A task that runs repeatedly, or once. Thread-safe.
	 */
	public final class Task implements AutoCloseable {

		/** The pause after each round; empty if there is only one round. */
		private final Optional<Supplier<Duration>> pause;

		private final String failure;

		private final Runnable round;

		/**
		 * The class of the last round's exception; null if it threw none. Only rounds
		 * read and write it.
		 */
		private volatile @Nullable Class<?> thrown;

		private @Nullable FutureTask<?> running;

		private @Nullable Future<?> scheduled;

		private boolean closed;

		private Task(Optional<Supplier<Duration>> pause, String failure, Runnable round) {
			this.pause = pause;
			this.failure = failure;
			this.round = round;
		}

		private synchronized void startIn(Duration delay) {
			try {
				this.scheduled = Upkeep.this.timer.schedule(this::start, delay.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("Closed already", ex);
			}
		}

		private synchronized void start() {
			if (this.closed) {
				return;
			}
			FutureTask<?> next = new FutureTask<>(this::run, null);
			try {
				Upkeep.this.workers.execute(next);
				this.running = next;
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				// All threads are busy, or the system permits no further thread.
				startIn(BUSY);
			}
		}

		private void run() {
			try {
				this.round.run();
				this.thrown = null;
			}
			catch (RuntimeException | Error ex) {
				if (this.thrown != ex.getClass()) {
					logger.error(this.failure, ex);
				}
				this.thrown = ex.getClass();
			}
			finally {
				this.pause.ifPresent((next) -> startIn(next.get()));
			}
		}

		/** Start no further round, and let a running round end. */
		public synchronized void cancel() {
			this.closed = true;
			if (this.scheduled != null) {
				this.scheduled.cancel(false);
			}
		}

		/** Stop the task: no further round starts, and a running round is interrupted. */
		@Override
		public synchronized void close() {
			cancel();
			if (this.running != null) {
				this.running.cancel(true);
			}
		}

	}

}
