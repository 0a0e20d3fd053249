package dev.ratelimit.rule;

/**
 * Internal: how the limits of a rule hold in several regions, each with a Redis of its
 * own.
 */
public enum RegionMode {

	/** Each region counts alone: the limit is that of a region. */
	EACH,

	/** Each region has a share of the limit, by its weight. */
	SPLIT,

	/** Each region counts the whole limit, and reports its charges to the others. */
	SHARED

}
