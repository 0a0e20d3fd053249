package dev.ratelimit.telemetry;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the items that occur most often, with a fixed number of counters (Metwally,
 * Agrawal, and El Abbadi, Efficient Computation of Frequent and Top-k Elements in Data
 * Streams, ICDT 2005). Items without a counter are counted together with all others of
 * their hash (Homem and Carvalho, Finding Top-k Elements in Data Streams, Information
 * Sciences 180, 2010). An item takes over the counter with the least count only if the
 * count of its hash has reached that count, which then becomes the error of the item. So
 * items that occur rarely do not take counters from each other. The true number of
 * occurrences of an item is between its count minus its error and its count. An item that
 * occurs more often than the total divided by the number of counters has a counter. Does
 * not allocate memory after construction. Not thread-safe.
 *
 * @param <T> the items
 */
final class SpaceSaving<T> {

	/** The index is mostly empty, so that searches are short. */
	private static final int SLOTS_PER_COUNTER = 4;

	/**
	 * There are four times as many counts without a counter as slots in the index, so
	 * that few items share a count. Items that share a count take over a counter sooner.
	 */
	private static final int OTHERS_BITS = 2;

	/** 2^32 divided by the golden ratio. */
	private static final int GOLDEN_RATIO = 0x9E3779B9;

	private final Object[] items;

	/**
	 * The hashes of the items, so that the hash of an item that loses its counter is not
	 * computed again.
	 */
	private final int[] hashes;

	private final long[] counts;

	private final long[] errors;

	/** The counters, each with one added, by the hashes of their items. */
	private final int[] index;

	/**
	 * Upper bounds of the occurrences of items without a counter. None of them is greater
	 * than the least count.
	 */
	private final long[] others;

	private final int shift;

	private int size;

	/** A lower bound of all counts; counters before the cursor have greater counts. */
	private long least;

	private int cursor;

	SpaceSaving(int capacity) {
		if (capacity < 1) {
			throw new IllegalArgumentException("there must be a counter");
		}
		this.items = new Object[capacity];
		this.hashes = new int[capacity];
		this.counts = new long[capacity];
		this.errors = new long[capacity];
		this.index = new int[Integer.highestOneBit(capacity) * SLOTS_PER_COUNTER];
		this.others = new long[this.index.length << OTHERS_BITS];
		this.shift = Integer.numberOfLeadingZeros(this.index.length) + 1;
	}

	void add(T item, int hash) {
		int position = find(item, hash);
		if (this.index[position] > 0) {
			this.counts[this.index[position] - 1]++;
		}
		else if (this.size < this.items.length) {
			give(this.size++, item, hash, position);
		}
		else {
			int counter = leastCounter();
			if (this.others[other(hash)] < this.least) {
				this.others[other(hash)]++;
			}
			else {
				takeOver(counter, item, hash);
			}
		}
	}

	private void takeOver(int counter, T item, int hash) {
		this.others[other(this.hashes[counter])] = this.least;
		remove(counter);
		this.errors[counter] = this.least;
		give(counter, item, hash, find(item, hash));
	}

	private void give(int counter, T item, int hash, int position) {
		this.items[counter] = item;
		this.hashes[counter] = hash;
		this.counts[counter]++;
		this.index[position] = counter + 1;
	}

	// Returns the slot of the item in the index, or the free slot for it.
	private int find(T item, int hash) {
		int position = home(hash);
		while (this.index[position] > 0 && !isAt(this.index[position] - 1, item, hash)) {
			position = next(position);
		}
		return position;
	}

	private boolean isAt(int counter, T item, int hash) {
		return this.hashes[counter] == hash && this.items[counter].equals(item);
	}

	// Moves up the entries behind the removed one, so that searches do not end at a gap.
	private void remove(int counter) {
		int gap = home(this.hashes[counter]);
		while (this.index[gap] != counter + 1) {
			gap = next(gap);
		}
		for (int i = next(gap); this.index[i] > 0; i = next(i)) {
			int home = home(this.hashes[this.index[i] - 1]);
			if (distance(home, i) >= distance(gap, i)) {
				this.index[gap] = this.index[i];
				gap = i;
			}
		}
		this.index[gap] = 0;
	}

	// Counts only increase, so counters before the cursor cannot have the least count
	// again. There is one round for each least count, which is about one step for each
	// item.
	private int leastCounter() {
		while (true) {
			for (; this.cursor < this.counts.length; this.cursor++) {
				if (this.counts[this.cursor] == this.least) {
					return this.cursor;
				}
			}
			this.cursor = 0;
			this.least = leastCount();
		}
	}

	private long leastCount() {
		long least = Long.MAX_VALUE;
		for (long count : this.counts) {
			least = Math.min(least, count);
		}
		return least;
	}

	// Numbered subjects have adjacent hashes. The product spreads them (Knuth, The Art of
	// Computer Programming, volume 3, section 6.4).
	private int home(int hash) {
		return (hash * GOLDEN_RATIO) >>> this.shift;
	}

	private int other(int hash) {
		return (hash * GOLDEN_RATIO) >>> (this.shift - OTHERS_BITS);
	}

	private int next(int position) {
		return (position + 1) & (this.index.length - 1);
	}

	private int distance(int from, int to) {
		return (to - from) & (this.index.length - 1);
	}

	/**
	 * Return the items that have a counter.
	 * @return the items, in descending order of the lower bounds of their occurrences
	 */
	List<Estimate<T>> estimates() {
		return IntStream.range(0, this.size)
			.mapToObj(this::estimate)
			.sorted(Comparator.comparingLong(Estimate<T>::atLeast).reversed())
			.toList();
	}

	@SuppressWarnings("unchecked")
	private Estimate<T> estimate(int counter) {
		return new Estimate<>((T) this.items[counter], this.counts[counter], this.errors[counter]);
	}

	/**
	 * The estimated number of occurrences of an item.
	 *
	 * @param <T> the items
	 * @param item the item
	 * @param count the upper bound of the number
	 * @param error the maximum difference between the bound and the number
	 */
	record Estimate<T>(T item, long count, long error) {

		long atLeast() {
			return this.count - this.error;
		}

	}

}
