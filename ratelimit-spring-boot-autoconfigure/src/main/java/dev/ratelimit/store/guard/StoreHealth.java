package dev.ratelimit.store.guard;

/**
 * Internal: the health of a store, best first.
 */
public enum StoreHealth {

	/** It responds. */
	UP,

	/** It does not respond: the rules apply their failure policies. */
	DEGRADED,

	/** It responds, and rejects our calls: the limiter does not run. */
	DOWN

}
