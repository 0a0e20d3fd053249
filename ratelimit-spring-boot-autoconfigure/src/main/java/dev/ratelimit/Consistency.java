package dev.ratelimit;

/**
 * Whether each decision of a rule asks the store.
 *
 * @since 0.1.0
 */
public enum Consistency {

	/** Each decision asks the store. */
	STRICT,

	/** Each instance borrows units in advance, and spends them without asking. */
	LEASED,

	/** As {@link #LEASED} for buckets that are busy on this instance, else strict. */
	AUTO

}
