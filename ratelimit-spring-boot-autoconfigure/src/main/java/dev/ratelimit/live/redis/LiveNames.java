package dev.ratelimit.live.redis;

/**
 * Names of keys.
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

}
