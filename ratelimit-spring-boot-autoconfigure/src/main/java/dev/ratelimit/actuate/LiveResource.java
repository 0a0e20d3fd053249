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
	 * The first segment of its path.
	 * @return the name
	 */
	String name();

	/**
	 * Show something.
	 * @param request the request
	 * @return the body; empty if there is no such thing
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
	 * Whether users that may change some rules only may change something here, since it
	 * checks the {@linkplain LiveRequest#permit() permit} for each rule.
	 * @return false if changes require the right to change all rules
	 */
	default boolean permitsTeams() {
		return false;
	}

	/**
	 * Change something.
	 * @param request the request
	 * @return the body; empty if there is no such thing
	 */
	default Optional<Object> write(LiveRequest request) {
		return Optional.empty();
	}

	/**
	 * Remove something.
	 * @param request the request
	 * @return the body; empty if there is no such thing
	 */
	default Optional<Object> delete(LiveRequest request) {
		return Optional.empty();
	}

}
