package dev.ratelimit.store.route;

import java.util.Optional;

import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.StoreStage;

/**
 * Internal: a store by its name.
 *
 * @param name the name that limits contain
 * @param store the store, which processes requests on one slot
 * @param slots the slots of its buckets; empty if one server or this instance has all
 * buckets
 * @param beyondNanos the difference between its deadline and the usual one; negative if
 * it is shorter
 * @param local whether the store is the memory of this instance
 */
public record StoreRoute(String name, StoreStage store, Optional<BucketSlots> slots, long beyondNanos, boolean local) {

	/**
	 * Create the route of a store that is called.
	 * @param name the name
	 * @param store the store
	 * @param slots the slots of its buckets
	 * @param beyondNanos the difference between its deadline and the usual one
	 * @return the route
	 */
	public static StoreRoute called(String name, StoreStage store, Optional<BucketSlots> slots, long beyondNanos) {
		return new StoreRoute(name, store, slots, beyondNanos, false);
	}

	/**
	 * Create the route of the memory of this instance.
	 * @param name the name
	 * @param store the store, which neither blocks nor fails
	 * @return the route
	 */
	public static StoreRoute local(String name, StoreStage store) {
		return new StoreRoute(name, store, Optional.empty(), 0, true);
	}

}
