package dev.ratelimit.live.redis;

/**
 * Internal: names of keys.
 */
public final class LiveNames {

	/** The newest version. */
	public static final String HEAD = "head";

	/** The last versions. */
	static final String VERSIONS = "versions";

	static final String SWITCHES = "switches";

	/** The candidate that is compared with the newest version. */
	public static final String CANDIDATE = "candidate";

	/** The users of changes. */
	public static final String LOG = "log";

	/** The reports of instances. */
	static final String ABOUT = "about";

	private LiveNames() {
	}

}
