package dev.ratelimit.store.guard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.store.CallSizes;

/**
 * Internal: the stores of this instance other than the default store. Immutable.
 *
 * @param stores the stores, in the order of the properties
 */
public record OtherStores(List<Named> stores) {

	/** No other store. */
	public static final OtherStores NONE = new OtherStores(List.of());

	public OtherStores {
		stores = List.copyOf(stores);
	}

	boolean areUp() {
		return this.stores.stream().allMatch((store) -> store.status().health() == StoreHealth.UP);
	}

	/**
	 * Return the status of the stores, as JSON.
	 * @return values by name, by store
	 */
	public Map<String, Object> description() {
		Map<String, Object> all = new LinkedHashMap<>();
		for (Named store : this.stores) {
			Map<String, Object> one = new LinkedHashMap<>();
			one.put("state", store.status().health().name().toLowerCase(Locale.ROOT));
			one.put("circuit", store.status().circuit().name().toLowerCase(Locale.ROOT));
			if (store.status().health() != StoreHealth.UP) {
				one.put("cause", store.status().lastFailure());
			}
			all.put(store.name(), one);
		}
		return all;
	}

	/**
	 * A store by name.
	 *
	 * @param name the name
	 * @param status the status of the store
	 * @param calls the number of decisions in each call
	 */
	public record Named(String name, StoreStatus status, CallSizes calls) {
	}

}
