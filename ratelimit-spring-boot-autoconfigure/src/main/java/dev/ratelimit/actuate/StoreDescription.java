package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreStatus;

/**
 * Internal: a description of the store and its state.
 */
public final class StoreDescription {

	private StoreDescription() {
	}

	/**
	 * Return a supplier that describes a store at the time of each call.
	 * @param store the store in use
	 * @param status the store's status, if it can be unavailable
	 * @param others the other stores
	 * @return the description at the time
	 */
	public static Supplier<Map<String, Object>> supplier(LimitStore store, Optional<StoreStatus> status,
			OtherStores others) {
		return () -> of(store, status, others);
	}

	static Map<String, Object> of(LimitStore store, Optional<StoreStatus> status, OtherStores others) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("name", store.name());
		description.put("state", status.map((current) -> EnumNames.of(current.health())).orElse("up"));
		status.ifPresent((current) -> describe(current, description));
		status.map(StoreStatus::lastFailure)
			.filter((failure) -> !failure.isEmpty())
			.ifPresent((failure) -> description.put("lastFailure", failure));
		if (!others.stores().isEmpty()) {
			description.put("others", others.description());
		}
		return description;
	}

	private static void describe(StoreStatus status, Map<String, Object> description) {
		description.put("circuit", EnumNames.of(status.circuit()));
		if (status.nodes().size() > 1) {
			Map<String, String> nodes = new LinkedHashMap<>();
			status.nodes().forEach((node, state) -> nodes.put(node, EnumNames.of(state)));
			description.put("nodes", nodes);
		}
		description.put("inFlight", status.inFlight());
	}

}
