package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.util.StringUtils;

/**
 * Internal: reads the parameters of a query string. Does not read the body.
 */
public final class QueryParameter {

	private QueryParameter() {
	}

	/**
	 * Return the first value of a parameter.
	 * @param query the query string
	 * @param name the parameter's name
	 * @return its value, if the query has it
	 */
	public static Optional<String> first(String query, String name) {
		return values(query, name::equals).findFirst();
	}

	/**
	 * Return all values of a parameter, including other spellings of its name.
	 * @param query the query string
	 * @param name the parameter's name
	 * @return its values, in their order
	 */
	public static List<String> all(String query, String name) {
		return values(query, new ParameterName(name)::reads).toList();
	}

	/**
	 * Whether the application may read a value of a parameter, although its first value
	 * is empty or missing: from a later one, or under another spelling of the name.
	 * @param query the query string
	 * @param name the parameter's name
	 * @return whether there is any value
	 */
	static boolean isElsewhere(String query, String name) {
		return values(query, new ParameterName(name)::reads).anyMatch((value) -> !value.isEmpty());
	}

	/**
	 * Return all parameters, as a server provides them.
	 * @param query the query string
	 * @return the values by the names in the request
	 */
	public static Map<String, String[]> map(String query) {
		Map<String, List<String>> values = new LinkedHashMap<>();
		for (String pair : StringUtils.delimitedListToStringArray(query, "&")) {
			values.computeIfAbsent(decode(name(pair)), (name) -> new ArrayList<>(1)).add(decode(value(pair)));
		}
		Map<String, String[]> parameters = new LinkedHashMap<>();
		values.forEach((name, all) -> parameters.put(name, all.toArray(String[]::new)));
		return parameters;
	}

	private static Stream<String> values(String query, Predicate<String> name) {
		return Arrays.stream(StringUtils.delimitedListToStringArray(query, "&"))
			.filter((pair) -> name.test(decode(name(pair))))
			.map((pair) -> decode(value(pair)));
	}

	private static String name(String pair) {
		int equals = pair.indexOf('=');
		return (equals < 0) ? pair : pair.substring(0, equals);
	}

	private static String value(String pair) {
		int equals = pair.indexOf('=');
		return (equals < 0) ? "" : pair.substring(equals + 1);
	}

	private static String decode(String text) {
		try {
			return StringUtils.uriDecode(text.replace('+', ' '), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			// Malformed encoding is used unchanged, because a missing value could bypass
			// the rule.
			return text;
		}
	}

}
