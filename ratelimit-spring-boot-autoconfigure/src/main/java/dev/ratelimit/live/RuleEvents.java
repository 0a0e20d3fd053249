package dev.ratelimit.live;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.RulesChangedEvent;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publishes events to the listeners of the application, one after the other, on a thread
 * of its own: rules must become active whatever a listener does. If a listener takes so
 * long that events pile up, the oldest are dropped. Thread-safe.
 */
final class RuleEvents implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RuleEvents.class);

	private static final int MAX_WAITING = 64;

	private static final long SLOW_MILLIS = 1000;

	private static final long IDLE_SECONDS = 10;

	private final Consumer<RulesChangedEvent> listeners;

	private final Time time;

	private final ThreadPoolExecutor thread;

	private volatile Optional<String> trouble = Optional.empty();

	/** When the listeners were called that have not returned yet. */
	private volatile Optional<Long> calledNanos = Optional.empty();

	/**
	 * Events.
	 * @param listeners calls the listeners
	 * @param time the clock of the instance
	 */
	RuleEvents(Consumer<RulesChangedEvent> listeners, Time time) {
		this.listeners = listeners;
		this.time = time;
		this.thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING), RuleEvents::thread,
				new ThreadPoolExecutor.DiscardOldestPolicy());
		this.thread.allowCoreThreadTimeOut(true);
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-events");
		thread.setDaemon(true);
		return thread;
	}

	void publish(RulesChangedEvent event) {
		this.thread.execute(() -> call(event));
	}

	private void call(RulesChangedEvent event) {
		long called = this.time.nanos();
		this.calledNanos = Optional.of(called);
		try {
			this.listeners.accept(event);
			this.trouble = slow(called).map((seconds) -> "A listener took " + seconds + " s");
		}
		catch (RuntimeException | Error ex) {
			logger.error("A listener of RulesChangedEvent failed; the rules are active all the same", ex);
			this.trouble = Optional.of("A listener failed: " + ex);
		}
		finally {
			this.calledNanos = Optional.empty();
		}
	}

	private Optional<Long> slow(long called) {
		long millis = TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - called);
		return (millis >= SLOW_MILLIS) ? Optional.of(TimeUnit.MILLISECONDS.toSeconds(millis)) : Optional.empty();
	}

	/**
	 * What is wrong with the listeners of the application.
	 * @return a sentence without a full stop; empty if the last event was handled in time
	 */
	Optional<String> trouble() {
		return this.calledNanos.flatMap(this::slow)
			.map((seconds) -> "A listener has not returned for " + seconds + " s")
			.or(() -> this.trouble);
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
