package dev.ratelimit.live.redis;

import java.util.Optional;

/**
 * The newest document that this instance knows, whether or not Redis still does.
 * Thread-safe.
 */
final class NewestDocument {

	private volatile Optional<StoredDocument> document = Optional.empty();

	Optional<StoredDocument> document() {
		return this.document;
	}

	synchronized void know(StoredDocument known) {
		if (!isAfter(known.version())) {
			this.document = Optional.of(known);
		}
	}

	/**
	 * Whether this instance knows a newer version than Redis.
	 * @param version the version in Redis; 0 if there is none
	 * @return whether it does
	 */
	boolean isAfter(long version) {
		return this.document.filter((known) -> known.version() > version).isPresent();
	}

}
