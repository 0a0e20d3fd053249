package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Internal: the name of a parameter, and the other names under which Spring binds it:
 * with brackets at the end, empty or with an index, for lists; with a leading exclamation
 * mark, for defaults of forms; and with the other case of the first letter, as for bean
 * properties.
 *
 * @param name the name
 */
public record ParameterName(String name) {

	private static final String DEFAULT = "!";

	/**
	 * Whether the application may read a parameter under this name.
	 * @param sent the parameter's name in the request
	 * @return whether it is this name, or another spelling of it
	 */
	boolean reads(String sent) {
		return this.name.equals(sent) || isOtherSpelling(sent);
	}

	private boolean isOtherSpelling(String sent) {
		int begin = (sent.startsWith(DEFAULT)) ? DEFAULT.length() : 0;
		int bracket = (sent.endsWith("]")) ? sent.indexOf('[', begin) : -1;
		int length = ((bracket < 0) ? sent.length() : bracket) - begin;
		return length == this.name.length() && length > 0 && sent.regionMatches(true, begin, this.name, 0, 1)
				&& sent.startsWith(this.name.substring(1), begin + 1);
	}

	/**
	 * Return all values that the application may read under this name.
	 * @param <V> the values of one name
	 * @param parameters the values by the names in the request
	 * @param values finds the single values
	 * @return the values, starting with those of the name itself
	 */
	public <V> List<String> of(Map<String, V> parameters, Function<V, ? extends Collection<String>> values) {
		return Stream
			.concat(parameters.entrySet().stream().filter((entry) -> entry.getKey().equals(this.name)),
					parameters.entrySet()
						.stream()
						.filter((entry) -> !entry.getKey().equals(this.name) && isOtherSpelling(entry.getKey())))
			.flatMap((entry) -> values.apply(entry.getValue()).stream())
			.toList();
	}

}
