package dev.ratelimit.web.response;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import dev.ratelimit.RateLimitExceededException;

/**
 * Internal: finds the rejection of a method below a handler in what the handler fails
 * with.
 */
public final class RejectedCall {

	private RejectedCall() {
	}

	/**
	 * The rejection that a failure is.
	 * @param failure the failure; what futures wrap failures in is looked through
	 * @return the rejection, unless it is another failure
	 */
	public static Optional<RateLimitExceededException> in(Throwable failure) {
		boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
		Throwable cause = (wrapped && failure.getCause() != null) ? failure.getCause() : failure;
		return (cause instanceof RateLimitExceededException rejection) ? Optional.of(rejection) : Optional.empty();
	}

}
