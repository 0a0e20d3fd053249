package dev.ratelimit;

import java.util.Optional;

/**
 * Finds whose bucket a request draws on; named in a rule as {@code key: bean:name}. Must
 * be thread-safe and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * The value that tells callers apart. It may come from the caller: it is bounded and
	 * escaped before use.
	 * @param request the request
	 * @return the value, or empty if the request lacks it
	 */
	Optional<String> resolve(RequestView request);

	/**
	 * Whether the principal is looked at, so that rules with this key must be decided
	 * after authentication.
	 * @return whether the principal is needed
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
