package dev.ratelimit.connection;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the slots that connections hold, or that upgraded requests keep for their
 * connections. Closes connections after their maximum time, and frees slots that no
 * connection claims. Thread-safe.
 */
public final class ConnectionSlots implements AutoCloseable {

	private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(1);

	/** The time for which slots are kept for a connection that has not opened yet. */
	private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** The maximum number of connections that are closed at a time. */
	private static final int MAX_CLOSING = 8;

	private final Set<ConnectionSlot> slots = ConcurrentHashMap.newKeySet();

	private final LongAdder neverClaimed = new LongAdder();

	private final ThreadPoolExecutor closing = new ThreadPoolExecutor(MAX_CLOSING, MAX_CLOSING, 1, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), (task) -> {
				Thread thread = new Thread(task, "ratelimit-connections");
				thread.setDaemon(true);
				return thread;
			});

	private final Time time;

	private final Upkeep.Task rounds;

	/**
	 * Create an instance without slots.
	 * @param time the time
	 * @param upkeep runs the periodic checks
	 */
	ConnectionSlots(Time time, Upkeep upkeep) {
		this.time = time;
		this.closing.allowCoreThreadTimeOut(true);
		this.rounds = upkeep.start(RENEWAL_INTERVAL, RENEWAL_INTERVAL, "Failed to look after connections", this::round);
	}

	long nowNanos() {
		return this.time.nanos();
	}

	/**
	 * Add slots to the periodic checks.
	 * @param slot the slots of a request; null if there are none
	 * @return the given slots
	 */
	@Nullable ConnectionSlot keep(@Nullable ConnectionSlot slot) {
		if (slot != null) {
			this.slots.add(slot);
		}
		return slot;
	}

	void closed(ConnectionSlot slot) {
		this.slots.remove(slot);
		slot.free();
	}

	/**
	 * Return the number of slots that were freed because no connection claimed them.
	 * @return the number since the start
	 */
	long neverClaimed() {
		return this.neverClaimed.sum();
	}

	void round() {
		long nowNanos = this.time.nanos();
		for (ConnectionSlot slot : this.slots) {
			if (slot.isFreed()) {
				this.slots.remove(slot);
			}
			else if (slot.isClosed()) {
				closed(slot);
			}
			else if (slot.isOver(nowNanos)) {
				end(slot);
			}
			else if (slot.isUnclaimedSince(nowNanos - TIMEOUT_NANOS)) {
				giveUp(slot);
			}
		}
	}

	private void giveUp(ConnectionSlot slot) {
		if (end(slot)) {
			this.neverClaimed.increment();
		}
	}

	// Closes the connection on another thread, because closing may block until the client
	// reads. Of two rounds at once, only one closes it.
	private boolean end(ConnectionSlot slot) {
		boolean removed = this.slots.remove(slot);
		if (removed) {
			this.closing.execute(slot::end);
		}
		return removed;
	}

	@Override
	public void close() {
		this.rounds.close();
		this.closing.shutdown();
	}

}
