package dev.ratelimit.store;

import java.util.List;

import dev.ratelimit.FailurePolicy;

/**
 * Internal: the features that a rule needs of a store which runs scripts. Rules with
 * equal features need the same scripts and the same permissions. Immutable.
 *
 * @param algorithms the algorithm of each limit
 * @param leased whether units are leased in advance
 * @param replayed whether retries are recognized
 * @param shadow whether the rule only counts
 * @param store the name of the store
 */
public record ScriptUse(List<String> algorithms, boolean leased, boolean replayed, boolean shadow, String store) {

	public ScriptUse {
		algorithms = List.copyOf(algorithms);
	}

	/**
	 * Create a charge of one unit, like a charge of the rule.
	 * @param bucket the bucket
	 * @param replayable whether a known replay marker waives it
	 * @return the charge
	 */
	public Charge charge(Bucket bucket, boolean replayable) {
		return new Charge(bucket, 1, FailurePolicy.OPEN, (this.shadow) ? Stance.WATCHING : Stance.ENFORCED, replayable);
	}

}
