package dev.ratelimit.gate;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the slots of a request that is to be upgraded to a connection, which holds
 * them from then on. Freed once, whichever comes first: the connection is closed, the
 * upgrade fails, or nobody claims the slots. Thread-safe.
 */
public final class ConnectionSlot {

	private final RequestProgress progress;

	private final long endsNanos;

	private final AtomicBoolean freed = new AtomicBoolean();

	private volatile @Nullable Runnable connection;

	private ConnectionSlot(RequestProgress progress, long nowNanos) {
		this.progress = progress;
		this.endsNanos = nowNanos + progress.endings().longestConnection().toNanos();
	}

	/**
	 * The slots of a request that is about to be upgraded. They stay occupied if it is.
	 * @param progress how far the request has come
	 * @param nowNanos the time
	 * @param request remembers that a connection is to hold them
	 * @return the slots; null if no rule limits its connection
	 */
	public static @Nullable ConnectionSlot of(RequestProgress progress, long nowNanos,
			Consumer<ConnectionSlot> request) {
		if (!progress.endings().holdsConnections()) {
			return null;
		}
		ConnectionSlot slot = new ConnectionSlot(progress, nowNanos);
		request.accept(slot);
		return slot;
	}

	/**
	 * The connection is there. If the slots were freed meanwhile, it is closed: nothing
	 * counts it.
	 * @param close closes it, also if it is closed already
	 */
	public void claim(Runnable close) {
		this.connection = close;
		if (isFreed()) {
			close.run();
		}
	}

	/**
	 * Whether a connection holds the slots.
	 * @return whether it has claimed them
	 */
	public boolean isClaimed() {
		return this.connection != null;
	}

	/**
	 * Whether nothing is held any more.
	 * @return whether the slots were freed
	 */
	public boolean isFreed() {
		return this.freed.get();
	}

	/**
	 * Whether the connection has lasted for as long as it may.
	 * @param nowNanos the time
	 * @return whether it is to be closed
	 */
	public boolean isOver(long nowNanos) {
		return nowNanos - this.endsNanos >= 0;
	}

	/**
	 * Close the connection, and free its slots.
	 */
	public void end() {
		free();
		Runnable close = this.connection;
		if (close != null) {
			close.run();
		}
	}

	/**
	 * Free the slots. Freeing again changes nothing.
	 */
	public void free() {
		if (this.freed.compareAndSet(false, true)) {
			this.progress.endings().freeConnection();
		}
	}

}
