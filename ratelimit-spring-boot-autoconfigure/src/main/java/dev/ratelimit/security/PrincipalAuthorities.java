package dev.ratelimit.security;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.RequestView;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.ClassUtils;

/**
 * Internal: reads authorities where Spring Security is on the class path.
 */
public final class PrincipalAuthorities {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	private PrincipalAuthorities() {
	}

	/**
	 * The reader of authorities.
	 * @param classes the application's class loader
	 * @return the reader, if there can be authorities
	 */
	public static Optional<Authorities> of(@Nullable ClassLoader classes) {
		return (ClassUtils.isPresent(AUTHENTICATION, classes)) ? Optional.of(Known::of) : Optional.empty();
	}

	/**
	 * The reader of the authorities of principals.
	 * @param classes the application's class loader
	 * @return the reader, which finds none without Spring Security
	 */
	public static Function<Principal, Collection<String>> ofPrincipals(@Nullable ClassLoader classes) {
		return (ClassUtils.isPresent(AUTHENTICATION, classes)) ? Known::of : (principal) -> List.of();
	}

	/**
	 * Loaded only where Spring Security is on the class path.
	 */
	private static final class Known {

		static Collection<String> of(RequestView request) {
			return request.principal().map(Known::of).orElse(List.of());
		}

		static Collection<String> of(Principal principal) {
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
