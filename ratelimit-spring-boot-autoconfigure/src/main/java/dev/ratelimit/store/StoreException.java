package dev.ratelimit.store;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * A call to a store failed.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public class StoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Kind kind;

	private final boolean uncharged;

	/**
	 * Create a failure after which the request may have been charged.
	 * @param kind the kind of failure
	 * @param message the message, without any subject
	 * @param cause the cause, if there is one
	 */
	public StoreException(Kind kind, String message, @Nullable Throwable cause) {
		this(kind, message, cause, false);
	}

	private StoreException(Kind kind, String message, @Nullable Throwable cause, boolean uncharged) {
		// During an outage, each request causes an exception, and a stack trace adds no
		// information.
		super(message, cause, false, false);
		this.kind = kind;
		this.uncharged = uncharged;
	}

	/**
	 * Create a failure after which it is certain that nothing was or will be charged.
	 * @param kind the kind of failure
	 * @param message the message, without any subject
	 * @param cause the cause, if there is one
	 * @return the failure
	 */
	public static StoreException uncharged(Kind kind, String message, @Nullable Throwable cause) {
		return new StoreException(kind, message, cause, true);
	}

	/**
	 * Return the failure of a store that a future failed with.
	 * @param failure the exception of the future
	 * @return the failure
	 */
	public static StoreException of(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return (cause instanceof StoreException exception) ? exception
				: new StoreException(Kind.OTHER, String.valueOf(cause), cause);
	}

	/**
	 * Return the kind of failure.
	 * @return the kind
	 */
	public Kind kind() {
		return this.kind;
	}

	/**
	 * Whether it is certain that nothing was or will be charged: the request did not
	 * leave this instance, or the store rejected it.
	 * @return whether the request can be charged again without a double charge
	 */
	public boolean isUncharged() {
		return this.uncharged;
	}

	/**
	 * The kinds of failure.
	 */
	public enum Kind {

		/** No response in time. */
		TIMEOUT(false),

		/** No connection, or a server that is not ready. */
		CONNECTION(false),

		/** No response in time, because this instance itself was too busy. */
		STARVED(false),

		/** Too many decisions are pending. */
		OVERLOAD(false),

		/**
		 * A cluster is moving the buckets of the request to another node. Requests for
		 * other buckets are not affected.
		 */
		MIGRATING(false),

		/**
		 * The store responds, but rejects calls: wrong type, missing rights, or wrong
		 * script.
		 */
		SCRIPT(true),

		/** Anything else. */
		OTHER(true);

		private final boolean permanent;

		Kind(boolean permanent) {
			this.permanent = permanent;
		}

		/**
		 * Whether the failure does not end by itself.
		 * @return whether the failure lasts until it is fixed, unlike an unavailable
		 * store
		 */
		public boolean isPermanent() {
			return this.permanent;
		}

	}

}
