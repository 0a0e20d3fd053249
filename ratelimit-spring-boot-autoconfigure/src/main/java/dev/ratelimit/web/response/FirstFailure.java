package dev.ratelimit.web.response;

import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;

/**
 * Internal: logs the first failure of a bean of the application that every rejection
 * calls, and further ones at debug level: rejected clients must not be able to fill the
 * log. Thread-safe.
 */
public final class FirstFailure {

	private final Log logger;

	private final String message;

	private final AtomicBoolean logged = new AtomicBoolean();

	/**
	 * Nothing has failed yet.
	 * @param logger where to log
	 * @param message what has failed, and what happens instead
	 */
	public FirstFailure(Log logger, String message) {
		this.logger = logger;
		this.message = message;
	}

	/**
	 * It has failed.
	 * @param failure how
	 */
	public void log(Throwable failure) {
		if (this.logged.compareAndSet(false, true)) {
			this.logger.error(this.message + " Further failures are logged at debug level.", failure);
		}
		else {
			this.logger.debug(this.message, failure);
		}
	}

}
