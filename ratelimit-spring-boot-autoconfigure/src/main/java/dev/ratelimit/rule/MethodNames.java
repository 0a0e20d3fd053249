package dev.ratelimit.rule;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Internal: checks names of HTTP methods. Servers may accept unregistered methods, so
 * only syntactically invalid names are rejected.
 */
public final class MethodNames {

	/** A token (RFC 9110). */
	private static final Pattern TOKEN = Pattern.compile("[A-Z0-9!#$%&'*+.^_`|~-]+");

	/**
	 * The methods of RFC 9110, PATCH, QUERY, PURGE of caches, and WebDAV with its
	 * extensions.
	 */
	private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS",
			"TRACE", "PATCH", "QUERY", "PURGE", "COPY", "LOCK", "MKCOL", "MOVE", "PROPFIND", "PROPPATCH", "UNLOCK",
			"ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "LABEL", "LINK", "MERGE", "MKACTIVITY",
			"MKCALENDAR", "MKREDIRECTREF", "MKWORKSPACE", "ORDERPATCH", "REBIND", "REPORT", "SEARCH", "UNBIND",
			"UNCHECKOUT", "UNLINK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL");

	private MethodNames() {
	}

	/**
	 * Check names of methods.
	 * @param property the property that holds them
	 * @param methods the names, upper case
	 * @param warnings receives a warning of unknown methods
	 * @throws InvalidRuleException if a name is not a valid method
	 */
	public static void check(String property, Collection<String> methods, Consumer<String> warnings) {
		check(new Checks(property, warnings), "", methods);
	}

	static void check(Checks checks, String part, Collection<String> methods) {
		for (String method : methods) {
			checks.require(TOKEN.matcher(method).matches(), part, method, "it is not an HTTP method",
					"Use names such as GET, separated by commas.");
		}
		List<String> unknown = methods.stream().filter((method) -> !KNOWN.contains(method)).sorted().toList();
		checks.warnIf(!unknown.isEmpty(), part, unknown.toString(),
				"it is not a known HTTP method; requests with other methods do not match");
	}

}
