package dev.ratelimit;

/**
 * The consistency of a rule's counts among instances: whether each decision calls the
 * store.
 *
 * @since 0.1.0
 */
public enum Consistency {

	/** Each decision calls the store. */
	STRICT,

	/**
	 * Each instance leases units in advance and spends them without calling the store.
	 */
	LEASED,

	/**
	 * {@link #LEASED} for buckets that are busy on this instance, otherwise
	 * {@link #STRICT}.
	 */
	AUTO

}
