package dev.ratelimit.gate;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the slots of a request that is upgraded to a connection, which holds them
 * after the upgrade. The slots are freed once: when the connection is closed, when the
 * upgrade fails, or when no connection claims them. Thread-safe.
 */
public final class ConnectionSlot {

	private final long sinceNanos;

	private final long endsNanos;

	/** Null once the slots are freed. The request and its decision are not kept. */
	private volatile @Nullable Runnable release;

	private volatile @Nullable Connection connection;

	private ConnectionSlot(Endings endings, long nowNanos) {
		this.sinceNanos = nowNanos;
		this.endsNanos = nowNanos + endings.maxConnectionHold().toNanos();
		this.release = endings.handOver();
	}

	/**
	 * The slots of a request that is about to be upgraded. They stay occupied during the
	 * connection.
	 * @param progress the progress of the request
	 * @param nowNanos the time
	 * @param request stores the slots in the request, for the connection
	 * @return the slots; null if no rule limits its connection
	 */
	public static @Nullable ConnectionSlot of(RequestProgress progress, long nowNanos,
			Consumer<ConnectionSlot> request) {
		if (!progress.endings().holdsConnections()) {
			return null;
		}
		ConnectionSlot slot = new ConnectionSlot(progress.endings(), nowNanos);
		request.accept(slot);
		return slot;
	}

	/**
	 * Claim the slots for a connection. If the slots were freed meanwhile, the connection
	 * is closed, because it is not counted. If another connection holds them, both are
	 * closed: with SockJS, a client can open several connections of one session.
	 * @param claiming the connection
	 */
	public synchronized void claim(Connection claiming) {
		Connection other = this.connection;
		if (other != null && other.isOpen() && !other.equals(claiming)) {
			claiming.close();
			end();
			return;
		}
		this.connection = claiming;
		if (isFreed()) {
			claiming.close();
		}
	}

	/**
	 * Whether a connection holds the slots.
	 * @return whether it has claimed them
	 */
	boolean isClaimed() {
		return this.connection != null;
	}

	/**
	 * Whether no connection has claimed the slots for a long time.
	 * @param sinceNanos the time by which a connection should have claimed them
	 * @return whether they were reserved before that time, and are not claimed
	 */
	public boolean isUnclaimedSince(long sinceNanos) {
		return !isClaimed() && this.sinceNanos - sinceNanos < 0;
	}

	/**
	 * Whether the slots are freed.
	 * @return true if no slot is held
	 */
	public boolean isFreed() {
		return this.release == null;
	}

	/**
	 * Whether the connection was closed without an event.
	 * @return whether it claimed the slots, and is closed
	 */
	public boolean isClosed() {
		Connection claimed = this.connection;
		return claimed != null && !claimed.isOpen();
	}

	/**
	 * Whether the connection has lasted for its maximum time.
	 * @param nowNanos the time
	 * @return whether the connection must be closed
	 */
	public boolean isOver(long nowNanos) {
		return nowNanos - this.endsNanos >= 0;
	}

	/**
	 * Close the connection, and free its slots.
	 */
	public void end() {
		free();
		Connection claimed = this.connection;
		if (claimed != null) {
			claimed.close();
		}
	}

	/**
	 * Free the slots. A second call has no effect.
	 */
	public void free() {
		Runnable mine = take();
		if (mine != null) {
			mine.run();
		}
	}

	private synchronized @Nullable Runnable take() {
		Runnable mine = this.release;
		this.release = null;
		return mine;
	}

	/**
	 * A connection that holds slots.
	 */
	public interface Connection {

		/**
		 * Whether the connection is open.
		 * @return false once the client or the server has closed it
		 */
		boolean isOpen();

		/** Close the connection. A second call has no effect. */
		void close();

	}

}
