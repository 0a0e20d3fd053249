package dev.ratelimit.web.response;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Tells which responses no shared cache may store (RFC 9111, section 3).
 */
final class Cacheability {

	private static final Set<String> CACHEABLE_METHODS = Set.of("GET", "HEAD");

	private Cacheability() {
	}

	static boolean isPrivate(ResponseView response) {
		Set<String> directives = directives(response.header(HeaderVisibility.CACHE_CONTROL));
		if (!CACHEABLE_METHODS.contains(response.requestMethod()) || directives.contains("private")
				|| directives.contains("no-store")) {
			return true;
		}
		return response.authorized() && directives.stream().noneMatch(Cacheability::sharesWithAuthorization);
	}

	private static boolean sharesWithAuthorization(String directive) {
		return directive.equals("public") || directive.equals("must-revalidate") || directive.startsWith("s-maxage");
	}

	private static Set<String> directives(@Nullable String cacheControl) {
		return (cacheControl != null) ? Arrays.stream(cacheControl.split(","))
			.map((directive) -> directive.trim().toLowerCase(Locale.ROOT))
			.collect(Collectors.toSet()) : Set.of();
	}

}
