package dev.ratelimit.gate;

import java.util.List;
import java.util.Map;

import dev.ratelimit.engine.AppliedRule;

/**
 * Internal: tells callers apart in header fields without saying who they are.
 * Thread-safe.
 */
@FunctionalInterface
public interface PartitionKeys {

	/** Nobody is told apart. */
	PartitionKeys NONE = (uses) -> Map.of();

	/**
	 * The keys of the partitions that a request belongs to.
	 * @param uses the rules that apply, with their subjects
	 * @return by the rule's id, the key as a byte sequence of structured fields
	 */
	Map<String, String> of(List<AppliedRule> uses);

	/**
	 * Keys that only who knows a secret can make, so that nobody finds out by trial whose
	 * they are.
	 * @param secret the secret, not empty, the same in the whole fleet
	 * @return the keys
	 */
	static PartitionKeys keyed(String secret) {
		return new KeyedPartitions(secret);
	}

}
