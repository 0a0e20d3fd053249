package dev.ratelimit.web.response;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.web.response.HeaderSettings.OnSuccess;
import org.jspecify.annotations.Nullable;

/**
 * Internal: selects the fields of the response to an allowed request by the properties of
 * the response. A redirect has no fields. With {@code when-private}, a response that a
 * shared cache may store has no fields. Fields of the application or an upstream are
 * kept, unless the limiter's are stricter. Thread-safe.
 */
public final class HeaderVisibility {

	/** The header that decides whether a response may be cached. */
	static final String CACHE_CONTROL = "Cache-Control";

	private final HeaderFormat format;

	private final List<String> names;

	private final OnSuccess onSuccess;

	HeaderVisibility(HeaderFormat format, OnSuccess onSuccess) {
		this.format = format;
		this.names = List.copyOf(format.names());
		this.onSuccess = onSuccess;
	}

	/**
	 * Return the names of the fields that may be written.
	 * @return the names, the same in each response
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Return whether the fields depend on the caches that may store the response.
	 * @return whether the response's {@link #CACHE_CONTROL} matters
	 */
	public boolean dependsOnCaching() {
		return this.onSuccess == OnSuccess.WHEN_PRIVATE;
	}

	/**
	 * Return the name of one of the fields that may be written.
	 * @param name a name in any case
	 * @return the name as it is in {@link #names}, or {@code null} if it is not one of
	 * them
	 */
	@Nullable String find(String name) {
		for (String field : this.names) {
			if (field.equalsIgnoreCase(name)) {
				return field;
			}
		}
		return null;
	}

	/**
	 * Return whether the limiter's fields may be written.
	 * @param response the response so far
	 * @return whether they may be written
	 */
	boolean isVisible(ResponseView response) {
		return !isRedirect(response.status()) && (!dependsOnCaching() || Cacheability.isPrivate(response));
	}

	/**
	 * Return whether the response is a redirect, which has no fields because clients
	 * would apply a wait to the redirect.
	 * @param status the HTTP status
	 * @return whether it is 3xx
	 */
	public static boolean isRedirect(int status) {
		return status >= 300 && status < 400;
	}

	/**
	 * Merge the limiter's fields with those that others have set.
	 * @param ours the limiter's fields
	 * @param theirs the existing fields by name, at least one
	 * @return the fields by name; missing fields are not written
	 */
	Map<String, String> merge(List<HeaderField> ours, Map<String, String> theirs) {
		Map<String, String> own = new HashMap<>();
		ours.forEach((field) -> own.put(field.name(), field.value()));
		return this.format.merge(own, theirs);
	}

	/**
	 * Finds the responses that shared caches must not store (RFC 9111, section 3).
	 */
	static final class Cacheability {

		private static final Set<String> CACHEABLE_METHODS = Set.of("GET", "HEAD");

		private Cacheability() {
		}

		static boolean isPrivate(ResponseView response) {
			if (!CACHEABLE_METHODS.contains(response.requestMethod())) {
				return true;
			}
			Set<String> directives = directives(response.header(HeaderVisibility.CACHE_CONTROL));
			if (directives.contains("private") || directives.contains("no-store")) {
				return true;
			}
			return response.authorized() && directives.stream().noneMatch(Cacheability::sharesWithAuthorization);
		}

		private static boolean sharesWithAuthorization(String directive) {
			return directive.equals("public") || directive.equals("must-revalidate")
					|| directive.startsWith("s-maxage");
		}

		private static Set<String> directives(@Nullable String cacheControl) {
			return (cacheControl != null) ? Arrays.stream(cacheControl.split(","))
				.map((directive) -> directive.trim().toLowerCase(Locale.ROOT))
				.collect(Collectors.toSet()) : Set.of();
		}

	}

}
