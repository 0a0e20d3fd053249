package dev.ratelimit.store.route;

import java.util.Optional;

import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.StoreStage;

/**
 * Internal: a store by its name.
 *
 * @param name the name, as limits have it
 * @param store the store, which answers requests on one slot
 * @param slots where its buckets lie; empty if one server, or this instance, has all
 * @param beyondNanos by how much its deadline exceeds the usual one; negative if it is
 * shorter
 * @param local whether it is this instance's memory
 */
public record StoreRoute(String name, StoreStage store, Optional<BucketSlots> slots, long beyondNanos, boolean local) {

	/**
	 * A store that is called.
	 * @param name the name
	 * @param store the store
	 * @param slots where its buckets lie
	 * @param beyondNanos by how much its deadline exceeds the usual one
	 * @return the route
	 */
	public static StoreRoute called(String name, StoreStage store, Optional<BucketSlots> slots, long beyondNanos) {
		return new StoreRoute(name, store, slots, beyondNanos, false);
	}

	/**
	 * The memory of this instance.
	 * @param name the name
	 * @param store the store, which neither waits nor fails
	 * @return the route
	 */
	public static StoreRoute local(String name, StoreStage store) {
		return new StoreRoute(name, store, Optional.empty(), 0, true);
	}

}
