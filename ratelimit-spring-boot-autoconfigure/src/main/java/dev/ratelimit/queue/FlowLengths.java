package dev.ratelimit.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Knows which flow is the longest, at a cost that does not depend on how many there are.
 *
 * @param <F> the flows
 */
final class FlowLengths<F> {

	private final Map<Integer, Set<F>> byLength = new HashMap<>();

	private int most;

	/**
	 * A flow has become longer or shorter by one.
	 * @param flow the flow
	 * @param from its length before
	 * @param to its length now
	 */
	void move(F flow, int from, int to) {
		Set<F> before = this.byLength.get(from);
		if (before != null && before.remove(flow) && before.isEmpty()) {
			this.byLength.remove(from);
		}
		if (to > 0) {
			this.byLength.computeIfAbsent(to, (length) -> new LinkedHashSet<>()).add(flow);
		}
		this.most = (to > this.most || (from == this.most && !this.byLength.containsKey(from))) ? to : this.most;
	}

	/**
	 * The longest flow.
	 * @return one that no other is longer than; null if there is none
	 */
	@Nullable F longest() {
		Set<F> longest = this.byLength.get(this.most);
		return (longest != null) ? longest.iterator().next() : null;
	}

}
