package dev.ratelimit.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Internal: thrown if the request of a user cannot be served because a store does not
 * respond.
 */
public final class UnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param reason the reason, in words
	 * @param cause the cause
	 */
	public UnavailableException(String reason, Throwable cause) {
		super(reason, cause);
	}

	/**
	 * Wait for a response.
	 * @param response the response
	 * @param maxMillis the maximum wait, in milliseconds
	 * @param reason the reason of the exception, in words
	 * @param <T> the type of the response
	 * @return the response
	 * @throws UnavailableException if there is no response in time, or it is a failure
	 */
	public static <T> T await(CompletableFuture<T> response, long maxMillis, String reason) {
		try {
			return response.get(maxMillis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new UnavailableException(reason, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new UnavailableException(reason, ex);
		}
	}

}
