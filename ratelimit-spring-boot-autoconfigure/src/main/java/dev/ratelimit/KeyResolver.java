package dev.ratelimit;

import java.util.Optional;

/**
 * Strategy to resolve the key of a request. Rules reference it as {@code key: bean:name}.
 * Implementations must be thread-safe and must not block. An exception fails the request
 * like an exception of its handler.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * Resolve the value that identifies the client. The value can be untrusted input: it
	 * is bounded and escaped before use.
	 * @param request the request
	 * @return the value, or empty if the request does not have it
	 */
	Optional<String> resolve(RequestView request);

	/**
	 * Create a resolver that does not use the principal, so that its rules can be
	 * evaluated before authentication:
	 * {@code KeyResolver.withoutPrincipal((request) -> request.header("X-Tenant"))}.
	 * @param resolver resolves the key
	 * @return a resolver with the same keys, which does not {@linkplain #needsPrincipal()
	 * need the principal}
	 */
	static KeyResolver withoutPrincipal(KeyResolver resolver) {
		return new KeyResolver() {

			@Override
			public Optional<String> resolve(RequestView request) {
				return resolver.resolve(request);
			}

			@Override
			public boolean needsPrincipal() {
				return false;
			}

		};
	}

	/**
	 * Return whether the resolver uses the principal, so that rules with this key must be
	 * evaluated after authentication.
	 * @return whether the principal is required
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
