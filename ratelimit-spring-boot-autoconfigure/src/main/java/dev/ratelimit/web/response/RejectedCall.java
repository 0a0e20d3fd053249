package dev.ratelimit.web.response;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import dev.ratelimit.RateLimitExceededException;

/**
 * Internal: finds the rejection of a limited method in the failure of its handler.
 */
public final class RejectedCall {

	private RejectedCall() {
	}

	/**
	 * Find the rejection in a failure.
	 * @param failure the failure; wrapping exceptions of futures are resolved
	 * @return the rejection; empty for other failures
	 */
	public static Optional<RateLimitExceededException> in(Throwable failure) {
		boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
		Throwable cause = (wrapped && failure.getCause() != null) ? failure.getCause() : failure;
		return (cause instanceof RateLimitExceededException rejection) ? Optional.of(rejection) : Optional.empty();
	}

}
