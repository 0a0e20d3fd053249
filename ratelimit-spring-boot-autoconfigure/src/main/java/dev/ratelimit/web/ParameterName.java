package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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

	/** The headers that Spring's data binding never reads. */
	private static final Set<String> NOT_BOUND = Set.of("accept", "authorization", "connection", "cookie", "from",
			"host", "origin", "priority", "range", "referer", "upgrade");

	/**
	 * Whether the application may read a parameter under this name.
	 * @param sent the parameter's name in the request
	 * @return whether it is this name, or another spelling of it
	 */
	boolean reads(String sent) {
		return this.name.equals(sent) || isOtherSpelling(sent);
	}

	private boolean isOtherSpelling(String sent) {
		int begin = begin(sent);
		int length = end(sent, begin) - begin;
		return length == this.name.length() && length > 0 && sent.regionMatches(true, begin, this.name, 0, 1)
				&& sent.startsWith(this.name.substring(1), begin + 1);
	}

	private static int begin(String sent) {
		return (sent.startsWith(DEFAULT)) ? DEFAULT.length() : 0;
	}

	private static int end(String sent, int begin) {
		int bracket = (sent.endsWith("]")) ? sent.indexOf('[', begin) : -1;
		return (bracket < 0) ? sent.length() : bracket;
	}

	/**
	 * Whether the application may read a request header under this name. Spring's data
	 * binding reads one if there is no parameter, and ignores its dashes and the case of
	 * its first letter; names of constructor parameters have any case.
	 * @param header the header's name in the request
	 * @return whether it is this name, or another spelling of it
	 */
	boolean readsHeader(String header) {
		String sent = header.replace("-", "");
		String own = this.name.replace("-", "");
		int begin = begin(sent);
		int length = end(sent, begin) - begin;
		return length == own.length() && length > 0 && sent.regionMatches(true, begin, own, 0, length)
				&& !NOT_BOUND.contains(header.toLowerCase(Locale.ROOT));
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
