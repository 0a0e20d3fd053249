package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.CallbackThread;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The health of each node, derived from calls and probes. A call that failed while this
 * instance was late does not count against its node, unless the node is silent.
 * Thread-safe.
 */
final class NodeHealth implements AutoCloseable {

	private static final String STARVED = "no response within the deadline, because this instance was too busy";

	private final StoreNodes nodes;

	private final Time time;

	private final long deadlineNanos;

	private final long probeIntervalNanos;

	private final Circuits circuits = new Circuits();

	private final DeadlineSweeper sweeper;

	private final StoreStatus status;

	private final StateChanges changes;

	private final StoreProbe probe;

	NodeHealth(String store, StoreNodes nodes, IntSupplier inFlight, GuardSettings settings,
			Consumer<StoreStateEvent> events, Time time, Upkeep upkeep) {
		this.nodes = nodes;
		this.time = time;
		this.deadlineNanos = settings.timeout().toNanos();
		this.probeIntervalNanos = settings.probeInterval().toNanos();
		this.sweeper = new DeadlineSweeper(nodes::replyThreads, time);
		this.status = new StoreStatus(store, this.circuits, inFlight);
		this.changes = new StateChanges(this.status, events);
		this.probe = new StoreProbe(nodes, this.circuits, settings, this::probed, this.changes::left, this.sweeper,
				time, upkeep);
	}

	StoreStatus status() {
		return this.status;
	}

	DeadlineSweeper sweeper() {
		return this.sweeper;
	}

	Optional<StoreException> start(Duration timeout) {
		return this.probe.start(timeout);
	}

	// All buckets of a request are on one node.
	Circuit circuit(AcquireRequest request) {
		return circuit(request.charges().get(0).bucket());
	}

	Circuit circuit(Bucket bucket) {
		return this.circuits.of(this.nodes.nodeOf(bucket));
	}

	void overloaded(Circuit circuit) {
		circuit.notCalled();
		this.status.failed(Kind.OVERLOAD);
	}

	void responded(Circuit circuit, long tookNanos) {
		if (circuit.responded(tookNanos)) {
			update(circuit);
		}
	}

	void failed(Circuit circuit, StoreException failure, long tookNanos, long lateNanos) {
		boolean late = failure.kind() == Kind.TIMEOUT && lateNanos >= this.deadlineNanos / 2;
		if (late && !circuit.isSilent(this.time.nanos())) {
			this.status.failed(Kind.STARVED);
			circuit.starved(new StoreException(Kind.STARVED, STARVED, failure));
			return;
		}
		this.status.failed(failure.kind());
		if (circuit.failed(failure, tookNanos)) {
			update(circuit);
		}
	}

	private void probed(Circuit circuit, Optional<StoreException> failure) {
		failure.ifPresentOrElse((cause) -> {
			this.status.failed(cause.kind());
			circuit.probeFailed(cause);
		}, () -> circuit.probed(this.time.nanos()));
		update(circuit);
	}

	private void update(Circuit circuit) {
		boolean opened = this.changes.update(circuit);
		if (opened && circuit.closedFor(this.probeIntervalNanos, this.time.nanos())) {
			this.probe.tryNow(circuit);
		}
	}

	@Override
	public void close() {
		this.probe.close();
		this.sweeper.close();
		this.changes.close();
	}

	/**
	 * Reports each change of a node's state: one line in the log, and one event on a
	 * separate thread. Thread-safe.
	 */
	private static final class StateChanges implements AutoCloseable {

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
		 * Update the health of a node, and report it if it has changed.
		 * @param circuit the circuit of the node
		 * @return whether the node has become unavailable
		 */
		synchronized boolean update(Circuit circuit) {
			StoreHealth before = circuit.update();
			StoreHealth now = circuit.health();
			if (before != now) {
				log(circuit, now);
			}
			if ((before == StoreHealth.UP) != (now == StoreHealth.UP)) {
				publish(circuit, now == StoreHealth.UP,
						(now == StoreHealth.UP) ? "it responds" : circuit.lastFailure());
			}
			return before == StoreHealth.UP && now == StoreHealth.DEGRADED;
		}

		/**
		 * Report that an unavailable node has left the cluster.
		 * @param circuit the circuit of the node
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
				case DOWN -> logger.error(which(circuit) + " failed with a non-transient error ("
						+ circuit.lastFailure() + "); rules apply their failure policy until it is fixed");
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

}
