package dev.ratelimit.load;

import java.util.Objects;

import dev.ratelimit.hash.KeyedHash;
import org.jspecify.annotations.Nullable;

/**
 * Flows by their keys. Nearly each request of an idle instance is the only one of its
 * flow: a map of the JDK would allocate an entry for it. Not thread-safe.
 */
final class SeatFlows {

	private static final int FEWEST = 16;

	/** Its length is a power of two. Flows of one place are siblings. */
	private @Nullable SeatFlow[] places = new SeatFlow[FEWEST];

	private int size;

	@Nullable SeatFlow find(String key) {
		SeatFlow flow = this.places[place(key)];
		while (flow != null && !flow.key.equals(key)) {
			flow = flow.sibling;
		}
		return flow;
	}

	/**
	 * The flow of a key, made if there is none.
	 * @param key the key
	 * @return its flow
	 */
	SeatFlow get(String key) {
		SeatFlow known = find(key);
		if (known != null) {
			return known;
		}
		if (this.size == this.places.length) {
			grow();
		}
		SeatFlow flow = new SeatFlow(key);
		this.size++;
		add(flow);
		return flow;
	}

	private void add(SeatFlow flow) {
		int place = place(flow.key);
		flow.sibling = this.places[place];
		this.places[place] = flow;
	}

	void remove(SeatFlow flow) {
		this.size--;
		int place = place(flow.key);
		SeatFlow before = Objects.requireNonNull(this.places[place]);
		if (before == flow) {
			this.places[place] = flow.sibling;
			return;
		}
		while (before.sibling != flow) {
			before = Objects.requireNonNull(before.sibling);
		}
		before.sibling = flow.sibling;
	}

	int size() {
		return this.size;
	}

	private void grow() {
		@Nullable SeatFlow[] before = this.places;
		this.places = new SeatFlow[2 * before.length];
		for (SeatFlow first : before) {
			for (SeatFlow flow = first; flow != null;) {
				SeatFlow next = flow.sibling;
				add(flow);
				flow = next;
			}
		}
	}

	private int place(String key) {
		int hash = KeyedHash.of(key);
		return (hash ^ (hash >>> 16)) & (this.places.length - 1);
	}

}
