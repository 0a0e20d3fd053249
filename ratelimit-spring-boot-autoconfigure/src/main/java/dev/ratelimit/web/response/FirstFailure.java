package dev.ratelimit.web.response;

import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;

/**
 * Internal: logs the first failure of a bean of the application that every rejection
 * calls. Further failures are logged at debug level, so that rejected clients cannot fill
 * the log. Thread-safe.
 */
public final class FirstFailure {

	private final Log logger;

	private final String message;

	private final AtomicBoolean logged = new AtomicBoolean();

	/**
	 * Create a log without failures.
	 * @param logger the logger
	 * @param message the message, which describes the failure and its effect
	 */
	public FirstFailure(Log logger, String message) {
		this.logger = logger;
		this.message = message;
	}

	/**
	 * Log a failure.
	 * @param failure the failure
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
