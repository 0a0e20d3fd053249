package dev.ratelimit.web.request;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.springframework.util.StringUtils;

/**
 * Internal: reads a parameter of a query string: the first one of a name. Never touches
 * the body.
 */
public final class QueryParameter {

	private QueryParameter() {
	}

	public static Optional<String> first(String query, String name) {
		for (String pair : StringUtils.delimitedListToStringArray(query, "&")) {
			int equals = pair.indexOf('=');
			String key = (equals < 0) ? pair : pair.substring(0, equals);
			if (decode(key).equals(name)) {
				return Optional.of(decode((equals < 0) ? "" : pair.substring(equals + 1)));
			}
		}
		return Optional.empty();
	}

	private static String decode(String text) {
		try {
			return StringUtils.uriDecode(text.replace('+', ' '), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			// Broken encoding is a value like any other: it must not be a way around the
			// rule.
			return text;
		}
	}

}
