package dev.ratelimit.store.memory;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Internal: the stores of this instance that count in memory: the only one, or those
 * beside another store, for rules with {@code store: local} and for the time in which the
 * other store does not respond.
 *
 * @param stores the stores
 */
public record MemoryStores(List<MemoryLimitStore> stores) {

	public MemoryStores {
		stores = List.copyOf(stores);
	}

	/**
	 * Return the number of buckets that are remembered.
	 * @return the estimated count
	 */
	long size() {
		return sum(MemoryLimitStore::size);
	}

	/**
	 * Return the number of buckets that were evicted while they were not full: each of
	 * them may have allowed too many units.
	 * @return the count since the start
	 */
	long liveEvictions() {
		return sum(MemoryLimitStore::liveEvictions);
	}

	private long sum(ToLongFunction<MemoryLimitStore> count) {
		return this.stores.stream().mapToLong(count).sum();
	}

}
