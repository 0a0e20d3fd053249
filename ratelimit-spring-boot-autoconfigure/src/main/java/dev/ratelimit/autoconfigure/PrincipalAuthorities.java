package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.ratelimit.RequestView;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.Authorities;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.ClassUtils;

/**
 * Reads authorities where Spring Security is on the class path.
 */
final class PrincipalAuthorities {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	private PrincipalAuthorities() {
	}

	/**
	 * The reader of authorities.
	 * @param properties may name authorities, which nobody has without Spring Security
	 * @param classes the application's class loader
	 * @return the reader
	 */
	static Authorities of(RateLimitProperties properties, @Nullable ClassLoader classes) {
		if (ClassUtils.isPresent(AUTHENTICATION, classes)) {
			return Known::of;
		}
		require("ratelimit.bypass-authorities", properties.bypassAuthorities());
		properties.rules()
			.forEach((id, rule) -> require("ratelimit.rules." + id + ".bypass-authorities", rule.bypassAuthorities()));
		return Authorities.NONE;
	}

	private static void require(String property, List<String> names) {
		if (!names.isEmpty()) {
			throw new InvalidRuleException(property, names.toString(), "Spring Security is not on the classpath",
					"Add 'spring-boot-starter-security', or remove the property.");
		}
	}

	/**
	 * Loaded only where Spring Security is on the class path.
	 */
	private static final class Known {

		static Collection<String> of(RequestView request) {
			if (!(request.principal().orElse(null) instanceof Authentication authentication)) {
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
