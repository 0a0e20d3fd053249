package dev.ratelimit.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of the start of live rules. Immutable.
 *
 * @param onMissing the action if the source cannot be read at start-up
 * @param cacheFile the file in which to keep the last document
 * @param timeout the maximum time that a start waits for the source
 */
record LiveSettings(OnMissing onMissing, Optional<Path> cacheFile, Duration timeout) {

	/**
	 * The default timeout: long enough for a first connection, and short enough for a
	 * fast start.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(3);

	/**
	 * The action if the source cannot be read at start-up.
	 */
	enum OnMissing {

		/** Start with the rules of the application. */
		BASE,

		/** Start with the rules of the cache file. */
		CACHE,

		/** Fail to start. */
		FAIL

	}

}
