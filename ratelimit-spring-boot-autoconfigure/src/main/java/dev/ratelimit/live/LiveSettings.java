package dev.ratelimit.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How live rules start. Immutable.
 *
 * @param onMissing what to do if the source cannot be read at start-up
 * @param cacheFile where to keep the last document
 * @param patience how long a start waits for the source
 */
record LiveSettings(OnMissing onMissing, Optional<Path> cacheFile, Duration patience) {

	/** Long enough for a first connection, short enough not to hold up the start. */
	static final Duration PATIENCE = Duration.ofSeconds(3);

	/**
	 * What to do if the source cannot be read at start-up.
	 */
	enum OnMissing {

		/** Start with the rules of the application. */
		BASE,

		/** Start with the rules of the cache file. */
		CACHE,

		/** Do not start. */
		FAIL

	}

}
