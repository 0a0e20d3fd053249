package dev.ratelimit.store;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Internal: the maximum time that a request waits for stores, in all phases together.
 * Immutable.
 */
public final class StoreDeadlines {

	/**
	 * The maximum extension of a call while this instance is late, as a multiple of the
	 * deadline: long enough for a cold JVM under a flood on two cores.
	 */
	public static final int MAX_EXTENSION = 4;

	private final Duration usual;

	private final Map<String, Long> beyondNanos;

	/**
	 * Create deadlines that differ between stores.
	 * @param usual the deadline of all other stores
	 * @param own the deadlines of some stores, by name
	 */
	public StoreDeadlines(Duration usual, Map<String, Duration> own) {
		this.usual = usual;
		this.beyondNanos = own.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(store) -> store.getValue().minus(usual).toNanos()));
	}

	/**
	 * Create the same deadline for all stores.
	 * @param usual the deadline
	 * @return the deadlines
	 */
	public static StoreDeadlines of(Duration usual) {
		return new StoreDeadlines(usual, Map.of());
	}

	/**
	 * The deadline of stores without one of their own.
	 * @return the deadline
	 */
	public Duration usual() {
		return this.usual;
	}

	private Duration longest() {
		long beyond = this.beyondNanos.values().stream().mapToLong(Long::longValue).max().orElse(0);
		return this.usual.plusNanos(Math.max(0, beyond));
	}

	/**
	 * Return the maximum time of a call while this instance is late.
	 * @return the longest deadline with its maximum extension
	 */
	public Duration longestCall() {
		return longest().multipliedBy(1 + MAX_EXTENSION);
	}

	/**
	 * Whether any store has another deadline.
	 * @return whether there are several deadlines
	 */
	public boolean differ() {
		return !this.beyondNanos.isEmpty();
	}

	/**
	 * Return the difference between the deadline of a store and the usual deadline.
	 * @param store the name of the store
	 * @return the difference in nanoseconds, negative if the deadline of the store is
	 * shorter
	 */
	public long beyondNanos(String store) {
		return this.beyondNanos.getOrDefault(store, 0L);
	}

}
