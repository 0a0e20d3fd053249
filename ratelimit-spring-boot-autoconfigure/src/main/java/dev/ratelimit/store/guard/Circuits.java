package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The circuit of each node. Nodes are added and removed with the topology that the store
 * knows. Thread-safe.
 */
final class Circuits {

	private final Map<String, Circuit> circuits = new ConcurrentHashMap<>();

	Circuit of(String node) {
		Circuit existing = this.circuits.get(node);
		return (existing != null) ? existing : this.circuits.computeIfAbsent(node, Circuit::new);
	}

	Collection<Circuit> all() {
		return this.circuits.values();
	}

	/**
	 * Update the circuits to the topology.
	 * @param nodes the current nodes
	 * @return the circuits of removed nodes
	 */
	List<Circuit> follow(Set<String> nodes) {
		List<Circuit> left = new ArrayList<>();
		this.circuits.values().removeIf((circuit) -> {
			boolean gone = !nodes.contains(circuit.node());
			if (gone) {
				left.add(circuit);
			}
			return gone;
		});
		nodes.forEach(this::of);
		return left;
	}

}
