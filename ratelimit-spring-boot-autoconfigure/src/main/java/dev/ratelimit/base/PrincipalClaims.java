package dev.ratelimit.base;

import java.util.Optional;

import dev.ratelimit.RequestView;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/**
 * Internal: reads the claims of a token or the attributes of a user if OAuth 2 of Spring
 * Security is on the class path.
 */
public final class PrincipalClaims {

	private static final String CLAIMS = "org.springframework.security.oauth2.core.ClaimAccessor";

	private PrincipalClaims() {
	}

	/**
	 * Return the reader of claims.
	 * @param classes the application's class loader
	 * @return the reader; empty if OAuth 2 of Spring Security is not on the class path
	 */
	public static Optional<Claims> of(@Nullable ClassLoader classes) {
		return (ClassUtils.isPresent(CLAIMS, classes)) ? Optional.of(Known::claim) : Optional.empty();
	}

	/**
	 * Loaded only if OAuth 2 of Spring Security is on the class path.
	 */
	private static final class Known {

		static Optional<String> claim(RequestView request, String name) {
			Object principal = (request.principal().orElse(null) instanceof Authentication authentication)
					? authentication.getPrincipal() : null;
			if (principal instanceof ClaimAccessor claims) {
				return Optional.ofNullable(claims.getClaimAsString(name));
			}
			return (principal instanceof OAuth2AuthenticatedPrincipal user)
					? Optional.ofNullable(user.getAttribute(name)).map(Object::toString) : Optional.empty();
		}

	}

}
