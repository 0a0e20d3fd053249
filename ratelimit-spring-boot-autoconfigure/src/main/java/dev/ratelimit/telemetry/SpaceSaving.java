package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the items that occur most often, with a fixed number of counters (Metwally,
 * Agrawal, and El Abbadi, Efficient Computation of Frequent and Top-k Elements in Data
 * Streams, ICDT 2005). An item without a counter takes over the one with the least count,
 * which becomes its error. So the true number of an item is between its count less its
 * error and its count, and an item that occurs more often than the total divided by the
 * counters has one. Not thread-safe.
 *
 * @param <T> the items
 */
final class SpaceSaving<T> {

	private final int capacity;

	private final List<Counter<T>> counters = new ArrayList<>();

	private final Map<T, Counter<T>> byItem = new HashMap<>();

	/** No count is less; all counters before the cursor have more. */
	private long least;

	private int cursor;

	SpaceSaving(int capacity) {
		if (capacity < 1) {
			throw new IllegalArgumentException("there must be a counter");
		}
		this.capacity = capacity;
	}

	void add(T item) {
		Counter<T> present = this.byItem.get(item);
		if (present != null) {
			present.count++;
			return;
		}
		if (this.counters.size() < this.capacity) {
			Counter<T> unused = new Counter<>(item);
			this.counters.add(unused);
			this.byItem.put(item, unused);
		}
		else {
			takeOver(least(), item);
		}
	}

	private void takeOver(Counter<T> counter, T item) {
		this.byItem.remove(counter.item);
		counter.item = item;
		counter.error = counter.count;
		counter.count++;
		this.byItem.put(item, counter);
	}

	// Counts only grow, so a counter that was passed never has the least count again: one
	// round for each least count, which is about one step for each item.
	private Counter<T> least() {
		while (true) {
			while (this.cursor < this.capacity) {
				Counter<T> counter = this.counters.get(this.cursor++);
				if (counter.count == this.least) {
					return counter;
				}
			}
			this.cursor = 0;
			this.least = this.counters.stream().mapToLong((counter) -> counter.count).min().orElseThrow();
		}
	}

	/**
	 * The items that have a counter.
	 * @return the items, those that certainly occurred most often first
	 */
	List<Estimate<T>> estimates() {
		return this.byItem.entrySet()
			.stream()
			.map((entry) -> new Estimate<>(entry.getKey(), entry.getValue().count, entry.getValue().error))
			.sorted(Comparator.comparingLong(Estimate<T>::atLeast).reversed())
			.toList();
	}

	/**
	 * How often an item occurred.
	 *
	 * @param <T> the items
	 * @param item the item
	 * @param count the number at most
	 * @param error how much less it may be
	 */
	record Estimate<T>(T item, long count, long error) {

		long atLeast() {
			return this.count - this.error;
		}

	}

	private static final class Counter<T> {

		private T item;

		private long count = 1;

		private long error;

		private Counter(T item) {
			this.item = item;
		}

	}

}
