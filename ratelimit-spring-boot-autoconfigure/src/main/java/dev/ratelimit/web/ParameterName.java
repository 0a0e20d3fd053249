package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Internal: the name of a parameter, and the other names under which Spring finds the
 * same: with brackets at its end, empty or with an index, as clients that send lists
 * write it; with an exclamation mark before it, as forms send defaults; and with the
 * other case of its first letter, as properties of beans are found.
 *
 * @param name the name
 */
public record ParameterName(String name) {

	private static final String DEFAULT = "!";

	/**
	 * Whether the application may read a parameter under this name.
	 * @param sent the parameter's name as it was sent
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
	 * All values that the application may read under this name.
	 * @param <V> the values of one name
	 * @param parameters the values by the names as they were sent
	 * @param values finds the single values
	 * @return the values, those of the name itself first
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
