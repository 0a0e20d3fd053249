package dev.ratelimit.store.guard;

/**
 * Internal: the health of a store, best first.
 */
public enum StoreHealth {

	/** It responds. */
	UP,

	/** It does not respond: the rules apply their failure policies. */
	DEGRADED,

	/**
	 * It responds, but rejects calls: the rules apply their failure policies until it is
	 * fixed.
	 */
	DOWN

}
