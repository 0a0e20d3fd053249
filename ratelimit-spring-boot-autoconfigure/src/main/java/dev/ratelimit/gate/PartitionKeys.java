package dev.ratelimit.gate;

import java.util.List;
import java.util.Map;

import dev.ratelimit.engine.AppliedRule;

/**
 * Internal: identifies clients in header fields without revealing them. Thread-safe.
 */
@FunctionalInterface
public interface PartitionKeys {

	/** No client is identified. */
	PartitionKeys NONE = (uses) -> Map.of();

	/**
	 * The keys of the partitions that a request belongs to.
	 * @param uses the rules that apply, with their subjects
	 * @return keys by the id of the rule, each as a byte sequence of structured fields
	 */
	Map<String, String> of(List<AppliedRule> uses);

	/**
	 * Keys that require a secret, so that clients cannot find the subject of a key by
	 * trial.
	 * @param secret the secret, not empty, the same on all instances
	 * @return the keys
	 */
	static PartitionKeys keyed(String secret) {
		return new KeyedPartitions(secret);
	}

}
