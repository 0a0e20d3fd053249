package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The circuit of each node. Nodes come and go with what the store knows of its topology.
 * Thread-safe.
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
	 * Follow the topology.
	 * @param nodes the nodes there are
	 * @return the circuits of nodes that are no longer there
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
