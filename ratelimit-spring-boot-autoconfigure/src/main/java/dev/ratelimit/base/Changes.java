package dev.ratelimit.base;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: changes that are made at the same time, of which some can fail. Immutable.
 *
 * @param byName the changes by the names of their objects: whether there was something to
 * change
 */
public record Changes(Map<String, CompletableFuture<Boolean>> byName) {

	public Changes {
		byName = Map.copyOf(byName);
	}

	/**
	 * Wait until all changes have ended.
	 * @param maxMillis the maximum wait, in milliseconds
	 * @param reason the reason of the exception, in words
	 * @return the exception if a change has failed, or has not ended in time
	 */
	public Optional<UnavailableException> await(long maxMillis, String reason) {
		try {
			UnavailableException.await(
					CompletableFuture.allOf(this.byName.values().toArray(CompletableFuture<?>[]::new)), maxMillis,
					reason);
			return Optional.empty();
		}
		catch (UnavailableException ex) {
			return Optional.of(ex);
		}
	}

	/**
	 * Return the names of the objects that were changed.
	 * @return the names, sorted
	 */
	public List<String> made() {
		return this.byName.entrySet()
			.stream()
			.filter((change) -> !change.getValue().isCompletedExceptionally() && change.getValue().getNow(false))
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

}
