package dev.ratelimit.base;

import java.util.Optional;

import reactor.core.publisher.Mono;

/**
 * Internal: the user of the current call.
 */
public interface CurrentUser {

	/** An application without authentication. */
	CurrentUser UNKNOWN = new CurrentUser() {

		@Override
		public boolean isKnown() {
			return false;
		}

		@Override
		public Optional<String> find() {
			return Optional.empty();
		}

		@Override
		public Mono<Optional<String>> findLater() {
			return Mono.just(Optional.empty());
		}

	};

	/**
	 * Return whether calls can have a user.
	 * @return whether users are authenticated
	 */
	boolean isKnown();

	/**
	 * Return the user of the current thread.
	 * @return the name; empty if anonymous
	 */
	Optional<String> find();

	/**
	 * Return the user of a subscription.
	 * @return the name; empty if anonymous
	 */
	Mono<Optional<String>> findLater();

}
