package dev.ratelimit.store.guard;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/**
 * Internal: the status of the store behind the guard. Thread-safe.
 */
public final class StoreStatus {

	private final String store;

	private final Circuits circuits;

	private final IntSupplier inFlight;

	private final LongAdder[] errors = new LongAdder[Kind.values().length];

	StoreStatus(String store, Circuits circuits, IntSupplier inFlight) {
		this.store = store;
		this.circuits = circuits;
		this.inFlight = inFlight;
		for (Kind kind : Kind.values()) {
			this.errors[kind.ordinal()] = new LongAdder();
		}
	}

	/**
	 * Return the name of the store.
	 * @return the name
	 */
	public String store() {
		return this.store;
	}

	/**
	 * Return the health of the store as a whole: down if every node is down, degraded if
	 * any node is not up.
	 * @return the health
	 */
	public StoreHealth health() {
		StoreHealth worst = StoreHealth.UP;
		boolean anyWorks = this.circuits.all().isEmpty();
		for (Circuit circuit : this.circuits.all()) {
			StoreHealth health = circuit.health();
			anyWorks |= health != StoreHealth.DOWN;
			worst = (health.compareTo(worst) > 0) ? health : worst;
		}
		return (worst == StoreHealth.DOWN && anyWorks) ? StoreHealth.DEGRADED : worst;
	}

	/**
	 * Return the state of the breaker, or the worst state if there are several breakers.
	 * @return closed while requests reach all nodes
	 */
	public CircuitBreaker.State circuit() {
		return nodes().values().stream().max(Comparator.naturalOrder()).orElse(CircuitBreaker.State.CLOSED);
	}

	/**
	 * Return the state of the breaker of each node.
	 * @return states by node, one if the store has no separate nodes
	 */
	public Map<String, CircuitBreaker.State> nodes() {
		Map<String, CircuitBreaker.State> nodes = new TreeMap<>();
		this.circuits.all().forEach((circuit) -> nodes.put(circuit.node(), circuit.state()));
		return nodes;
	}

	/**
	 * Return the number of failures of the store.
	 * @param kind the kind of failure
	 * @return the count since the start
	 */
	public long errors(Kind kind) {
		return this.errors[kind.ordinal()].sum();
	}

	/**
	 * Return the number of decisions that wait for the store.
	 * @return the number at this moment
	 */
	public int inFlight() {
		return this.inFlight.getAsInt();
	}

	/**
	 * Return the latest failure as text: that of the worst node if a node is not up.
	 * @return kind and message of the latest failure, empty if there was none
	 */
	public String lastFailure() {
		return this.circuits.all()
			.stream()
			.filter((circuit) -> !circuit.lastFailure().isEmpty())
			.max(Comparator.comparing(Circuit::health))
			.map(this::describe)
			.orElse("");
	}

	String describe(Circuit circuit) {
		return (circuit.node().equals(this.store)) ? circuit.lastFailure()
				: circuit.node() + ": " + circuit.lastFailure();
	}

	void failed(Kind kind) {
		this.errors[kind.ordinal()].increment();
	}

}
