package dev.ratelimit.actuate;

import java.util.Optional;

/**
 * Internal: a part of {@link RateLimitLiveEndpoint}. A failure becomes a status:
 * {@link IllegalArgumentException} 400, {@link dev.ratelimit.base.EditConflictException}
 * 409, {@link dev.ratelimit.base.UnavailableException} 503, others by
 * {@link dev.ratelimit.base.FailureStatus}.
 */
public interface LiveResource {

	/**
	 * Return the first segment of the path of the resource.
	 * @return the name
	 */
	String name();

	/**
	 * Read the resource, or a part of it.
	 * @param request the request
	 * @return the body; empty if the requested part does not exist
	 */
	Optional<Object> read(LiveRequest request);

	/**
	 * Whether changes require only the right to set switches.
	 * @return false if they require the right to change rules
	 */
	default boolean operated() {
		return false;
	}

	/**
	 * Whether users with the right to change only some rules may change this resource. It
	 * then checks the {@linkplain LiveRequest#permit() permit} for each rule.
	 * @return false if changes require the right to change all rules
	 */
	default boolean permitsTeams() {
		return false;
	}

	/**
	 * Change the resource, or a part of it.
	 * @param request the request
	 * @return the body; empty if the requested part does not exist
	 */
	default Optional<Object> write(LiveRequest request) {
		return Optional.empty();
	}

	/**
	 * Delete the resource, or a part of it.
	 * @param request the request
	 * @return the body; empty if the requested part does not exist
	 */
	default Optional<Object> delete(LiveRequest request) {
		return Optional.empty();
	}

}
