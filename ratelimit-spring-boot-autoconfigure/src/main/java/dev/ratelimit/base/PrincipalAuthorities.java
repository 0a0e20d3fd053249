package dev.ratelimit.base;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RequestView;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.ClassUtils;

/**
 * Internal: reads authorities if Spring Security is on the class path.
 */
public final class PrincipalAuthorities {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	private PrincipalAuthorities() {
	}

	/**
	 * Return the reader of authorities.
	 * @param classes the application's class loader
	 * @return the reader; empty if Spring Security is not on the class path
	 */
	public static Optional<Authorities> of(@Nullable ClassLoader classes) {
		return (ClassUtils.isPresent(AUTHENTICATION, classes)) ? Optional.of(Known::of) : Optional.empty();
	}

	/**
	 * Return the authorities of a principal.
	 * @param principal the principal, if there is one
	 * @param classes the application's class loader
	 * @return the authorities; empty if Spring Security did not authenticate it
	 */
	public static Collection<String> of(Optional<Principal> principal, @Nullable ClassLoader classes) {
		return (ClassUtils.isPresent(AUTHENTICATION, classes)) ? Known.ofPrincipal(principal.orElse(null)) : List.of();
	}

	/**
	 * Return the principal of a security context. Call this method only if Spring
	 * Security is on the class path.
	 * @param principal the authentication; null if there is none
	 * @return the principal, unless it is anonymous or not authenticated
	 */
	public static Optional<Principal> authenticated(@Nullable Principal principal) {
		return Optional.ofNullable(principal).filter(Known::isAuthenticated);
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class Known {

		static boolean isAuthenticated(Principal principal) {
			return !(principal instanceof AnonymousAuthenticationToken)
					&& (!(principal instanceof Authentication authentication) || authentication.isAuthenticated());
		}

		static Collection<String> of(RequestView request) {
			return ofPrincipal(request.principal().orElse(null));
		}

		static Collection<String> ofPrincipal(@Nullable Object principal) {
			if (!(principal instanceof Authentication authentication) || !authentication.isAuthenticated()) {
				return List.of();
			}
			List<String> names = new ArrayList<>(authentication.getAuthorities().size());
			for (GrantedAuthority authority : authentication.getAuthorities()) {
				String name = authority.getAuthority();
				if (name != null) {
					names.add(name);
				}
			}
			return names;
		}

	}

}
