package dev.ratelimit.store.guard;

import java.util.function.Consumer;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.CallbackThread;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports each change of a node's state: one line in the log, and one event on a thread
 * of its own. Thread-safe.
 */
final class StateChanges implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StateChanges.class);

	private static final int MAX_EVENTS = 1000;

	private final StoreStatus status;

	private final Consumer<StoreStateEvent> events;

	private final CallbackThread listeners = new CallbackThread("ratelimit-store-events", MAX_EVENTS);

	StateChanges(StoreStatus status, Consumer<StoreStateEvent> events) {
		this.status = status;
		this.events = events;
	}

	/**
	 * Bring a node's health up to date, and report it if it has changed.
	 * @param circuit the node's
	 * @return whether the node has become unavailable
	 */
	synchronized boolean update(Circuit circuit) {
		StoreHealth before = circuit.update();
		StoreHealth now = circuit.health();
		if (before != now) {
			log(circuit, now);
		}
		if ((before == StoreHealth.UP) != (now == StoreHealth.UP)) {
			publish(circuit, now == StoreHealth.UP, (now == StoreHealth.UP) ? "it responds" : circuit.lastFailure());
		}
		return before == StoreHealth.UP && now == StoreHealth.DEGRADED;
	}

	/**
	 * Report that an unavailable node is not missed any longer.
	 * @param circuit the node's
	 */
	void left(Circuit circuit) {
		if (circuit.health() != StoreHealth.UP) {
			logger.info(which(circuit) + " is no longer part of the cluster");
			publish(circuit, true, "it is no longer part of the cluster");
		}
	}

	private void log(Circuit circuit, StoreHealth now) {
		switch (now) {
			case UP -> logger.info(which(circuit) + " is available again");
			case DEGRADED -> logger.warn(which(circuit) + " is unavailable (" + circuit.lastFailure()
					+ "); rules apply their failure policy until a probe succeeds");
			case DOWN -> logger.error(which(circuit) + " failed with a non-transient error (" + circuit.lastFailure()
					+ "); rules apply their failure policy until it is fixed");
		}
	}

	private void publish(Circuit circuit, boolean available, String cause) {
		StoreStateEvent event = new StoreStateEvent(this.status.store(), circuit.node(), available, cause);
		this.listeners.execute(() -> this.events.accept(event));
	}

	private String which(Circuit circuit) {
		return "The store '" + this.status.store() + "'"
				+ ((circuit.node().equals(this.status.store())) ? "" : " at " + circuit.node());
	}

	@Override
	public void close() {
		this.listeners.close();
	}

}
