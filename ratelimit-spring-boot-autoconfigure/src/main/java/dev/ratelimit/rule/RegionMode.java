package dev.ratelimit.rule;

/**
 * Internal: the effect of a rule's limits in several regions, each with its own Redis.
 */
public enum RegionMode {

	/** Each region counts separately, against the whole limit. */
	EACH,

	/** Each region has a share of the limit, by its weight. */
	SPLIT,

	/** Each region counts the whole limit, and reports its charges to the others. */
	SHARED

}
