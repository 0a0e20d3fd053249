package dev.ratelimit.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import dev.ratelimit.DecisionEventSink;
import dev.ratelimit.RateLimitDecisionEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Passes events to the sinks, in batches, on a separate thread. If a sink fails
 * repeatedly, only the first exception is logged. While a sink blocks, events are queued
 * up to a bound; further events are dropped.
 */
final class EventPump implements AutoCloseable {

	static final int CAPACITY = 4096;

	static final int BATCH = 500;

	private static final Log logger = LogFactory.getLog(EventPump.class);

	/** The maximum time that an event waits for further events. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** The interval at which instances agree on the names of subjects. */
	private static final Duration AGREEMENT = Duration.ofMinutes(1);

	private final BlockingQueue<SampledDecision> queue = new ArrayBlockingQueue<>(CAPACITY);

	private final EventCounts counts = new EventCounts();

	private final List<DecisionEventSink> sinks;

	private final String instance;

	private final SubjectNaming naming;

	private final LongSupplier time;

	private final Duration pause;

	private final Duration closing;

	private final Thread thread;

	private volatile boolean closed;

	private boolean agreed;

	private long agreedAtNanos;

	private boolean failing;

	/**
	 * Create a pump and start its thread.
	 * @param sinks the sinks, which receive the events
	 * @param instance the name of this instance
	 * @param naming the names of subjects
	 * @param time the time in nanoseconds, for the interval of agreements on the names
	 */
	EventPump(List<DecisionEventSink> sinks, String instance, SubjectNaming naming, LongSupplier time) {
		this(sinks, instance, naming, time, PAUSE, PAUSE);
	}

	EventPump(List<DecisionEventSink> sinks, String instance, SubjectNaming naming, LongSupplier time, Duration pause,
			Duration closing) {
		this.sinks = List.copyOf(sinks);
		this.instance = instance;
		this.naming = naming;
		this.time = time;
		this.pause = pause;
		this.closing = closing;
		this.thread = new Thread(this::run, "ratelimit-events");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Return the counts of events that were sent and dropped.
	 * @return the counts
	 */
	EventCounts counts() {
		return this.counts;
	}

	void offer(SampledDecision decision) {
		if (!this.queue.offer(decision)) {
			this.counts.addFull();
		}
		else if (this.queue.size() >= BATCH) {
			LockSupport.unpark(this.thread);
		}
	}

	private void run() {
		while (!this.closed) {
			// Clears an interrupt that a sink has left set. Otherwise, parkNanos would
			// return immediately.
			Thread.interrupted();
			if (this.queue.size() < BATCH) {
				LockSupport.parkNanos(this, this.pause.toNanos());
			}
			trySend();
		}
		while (!this.queue.isEmpty() && !Thread.currentThread().isInterrupted()) {
			trySend();
		}
	}

	// A failure does not stop the thread, so that later events are sent.
	private void trySend() {
		List<SampledDecision> batch = new ArrayList<>();
		this.queue.drainTo(batch, BATCH);
		if (batch.isEmpty()) {
			return;
		}
		try {
			SubjectNames names = names();
			deliver(batch.stream().map((decision) -> decision.event(this.instance, names)).toList());
		}
		catch (RuntimeException | Error ex) {
			this.counts.addFailed(batch.size());
			logger.error("Events of decisions are lost", ex);
		}
	}

	private void deliver(List<RateLimitDecisionEvent> events) {
		boolean received = true;
		for (DecisionEventSink sink : this.sinks) {
			received &= accepts(sink, events);
		}
		if (received) {
			this.counts.addSent(events.size());
			this.failing = false;
		}
		else {
			this.counts.addFailed(events.size());
			this.failing = true;
		}
	}

	private boolean accepts(DecisionEventSink sink, List<RateLimitDecisionEvent> events) {
		try {
			sink.accept(events);
			return true;
		}
		catch (RuntimeException | Error ex) {
			if (!this.failing) {
				logger.error("A sink of decision events failed; its events are dropped", ex);
			}
			return false;
		}
	}

	// Until the instances agree, the names of subjects are specific to this instance.
	private SubjectNames names() {
		long now = this.time.getAsLong();
		if (!this.agreed || now - this.agreedAtNanos > AGREEMENT.toNanos()) {
			this.agreed = true;
			this.agreedAtNanos = now;
			try {
				return this.naming.agreed().get(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (ExecutionException | TimeoutException | RuntimeException ex) {
				logger.debug("The instances cannot agree on the names of subjects", ex);
			}
		}
		return this.naming.current();
	}

	/** Send the remaining events, unless a sink takes too long. */
	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
		try {
			this.thread.join(this.closing.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.thread.interrupt();
	}

}
