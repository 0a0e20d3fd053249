package dev.ratelimit.store;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * A store gave no response.
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
	 * A failure of a kind, after which the request may have been charged.
	 * @param kind what kind of failure
	 * @param message what was seen, without any subject
	 * @param cause the cause, if there is one
	 */
	public StoreException(Kind kind, String message, @Nullable Throwable cause) {
		this(kind, message, cause, false);
	}

	private StoreException(Kind kind, String message, @Nullable Throwable cause, boolean uncharged) {
		// An outage throws one of these per request: a stack trace adds nothing.
		super(message, cause, false, false);
		this.kind = kind;
		this.uncharged = uncharged;
	}

	/**
	 * A failure after which it is certain that nothing was charged and nothing will be.
	 * @param kind what kind of failure
	 * @param message what was seen, without any subject
	 * @param cause the cause, if there is one
	 * @return the failure
	 */
	public static StoreException uncharged(Kind kind, String message, @Nullable Throwable cause) {
		return new StoreException(kind, message, cause, true);
	}

	/**
	 * The failure of a store, whatever carries it.
	 * @param failure what a future failed with
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
	 * Whether it is certain that nothing was charged and nothing will be: the request did
	 * not leave this instance, or the store rejected it.
	 * @return whether the request may be charged without being charged twice
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

		/** The store responds and rejects our calls: wrong type, rights, script. */
		SCRIPT(true),

		/** Anything else. */
		OTHER(true);

		private final boolean permanent;

		Kind(boolean permanent) {
			this.permanent = permanent;
		}

		/**
		 * Whether the failure does not pass by itself, so that the limiter does not run.
		 * @return whether the failure lasts until something is fixed, as opposed to an
		 * unavailable store
		 */
		public boolean isPermanent() {
			return this.permanent;
		}

	}

}
