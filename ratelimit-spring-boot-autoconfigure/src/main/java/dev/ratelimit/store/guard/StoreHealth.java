package dev.ratelimit.store.guard;

/**
 * Internal: how a store can be doing, best first.
 */
public enum StoreHealth {

	/** It answers. */
	UP,

	/** It does not answer; the rules' failure policies do. */
	DEGRADED,

	/** It answers, and rejects what is asked of it: the limiter does not run. */
	DOWN

}
