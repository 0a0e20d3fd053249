package dev.ratelimit.live.redis;

import dev.ratelimit.store.StoreException;

/**
 * What the keys and failures are called.
 */
final class LiveNames {

	/** The newest version. */
	static final String HEAD = "head";

	/** The last versions. */
	static final String VERSIONS = "versions";

	static final String SWITCHES = "switches";

	static final String CANDIDATE = "candidate";

	/** Who changed what. */
	static final String LOG = "log";

	/** What instances say. */
	static final String ABOUT = "about";

	private LiveNames() {
	}

	static String reason(StoreException failure) {
		return (failure.kind() == StoreException.Kind.TIMEOUT) ? "timeout" : String.valueOf(failure.getMessage());
	}

}
