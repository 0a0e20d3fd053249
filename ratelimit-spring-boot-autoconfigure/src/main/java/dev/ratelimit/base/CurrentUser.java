package dev.ratelimit.base;

import java.util.Optional;

import reactor.core.publisher.Mono;

/**
 * Internal: the user of the current call.
 */
public interface CurrentUser {

	/** No user is known. */
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
	 * Whether there can be a user at all.
	 * @return whether users are authenticated
	 */
	boolean isKnown();

	/**
	 * The user on whose behalf this thread runs.
	 * @return the name; empty if anonymous
	 */
	Optional<String> find();

	/**
	 * The user on whose behalf a subscription is made.
	 * @return the name; empty if anonymous
	 */
	Mono<Optional<String>> findLater();

}
