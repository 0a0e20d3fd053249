package dev.ratelimit.web.response;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Merges lists of named policies: ours are added to theirs. Of two that have the same
 * name, the one stays of which less remains.
 *
 * @param policies the name of the field of policies
 * @param limits the name of the field of what remains
 */
record ListMerge(String policies, String limits) {

	Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		Optional<Map<String, ListedItem>> limits = ListedItem.parse(theirs.getOrDefault(this.limits, ""));
		Optional<Map<String, ListedItem>> policies = ListedItem.parse(theirs.getOrDefault(this.policies, ""));
		if (limits.isEmpty() || policies.isEmpty()) {
			// Another format: what is added would spoil it.
			return HeaderFormat.only(List.of(this.policies, this.limits), theirs);
		}
		return merge(new Lists(policies.get(), limits.get()), Lists.of(ours, this));
	}

	private Map<String, String> merge(Lists theirs, Lists ours) {
		Map<String, ListedItem> policies = new LinkedHashMap<>(theirs.policies);
		Map<String, ListedItem> limits = new LinkedHashMap<>(theirs.limits);
		ours.policies.forEach((name, policy) -> {
			if (!theirs.names(name) || ours.isStricter(name, theirs)) {
				policies.put(name, policy);
				Optional.ofNullable(ours.limits.get(name)).ifPresent((limit) -> limits.put(name, limit));
			}
		});
		Map<String, String> merged = new HashMap<>();
		put(merged, this.policies, policies);
		put(merged, this.limits, limits);
		return merged;
	}

	private static void put(Map<String, String> fields, String name, Map<String, ListedItem> items) {
		if (!items.isEmpty()) {
			fields.put(name, String.join(", ", items.values().stream().map(ListedItem::text).toList()));
		}
	}

	/**
	 * The lists of one side.
	 *
	 * @param policies policies by name
	 * @param limits what remains of them
	 */
	private record Lists(Map<String, ListedItem> policies, Map<String, ListedItem> limits) {

		static Lists of(Map<String, String> fields, ListMerge names) {
			return new Lists(ListedItem.parse(fields.getOrDefault(names.policies, "")).orElseThrow(),
					ListedItem.parse(fields.getOrDefault(names.limits, "")).orElseThrow());
		}

		boolean names(String policy) {
			return this.policies.containsKey(policy) || this.limits.containsKey(policy);
		}

		boolean isStricter(String policy, Lists other) {
			ListedItem own = this.limits.get(policy);
			ListedItem others = other.limits.get(policy);
			return own != null && (others == null || own.remaining() < others.remaining());
		}

	}

}
