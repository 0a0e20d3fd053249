package dev.ratelimit.actuate;

import java.util.function.Function;

/**
 * Internal: the status of a response to a user whose request failed. Immutable.
 *
 * @param failure the failure and its subtypes
 * @param status the status of the response
 * @param message what is wrong, and the way out
 * @param <T> the failure
 */
public record FailureStatus<T extends RuntimeException>(Class<T> failure, int status, Function<T, String> message) {

	/**
	 * A status whose response has the message of the failure.
	 * @param failure the failure and its subtypes
	 * @param status the status of the response
	 */
	public FailureStatus(Class<T> failure, int status) {
		this(failure, status, (thrown) -> String.valueOf(thrown.getMessage()));
	}

	boolean matches(RuntimeException thrown) {
		return this.failure.isInstance(thrown);
	}

	String describe(RuntimeException thrown) {
		return this.message.apply(this.failure.cast(thrown));
	}

}
