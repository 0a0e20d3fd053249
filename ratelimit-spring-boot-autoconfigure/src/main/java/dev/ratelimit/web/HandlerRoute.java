package dev.ratelimit.web;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Internal: one route to a handler method. Immutable.
 *
 * @param handler the handler method
 * @param pattern the path pattern
 * @param methods HTTP methods; none means all
 * @param simple whether pattern and methods are the only conditions
 */
public record HandlerRoute(HandlerKey handler, PathPattern pattern, Set<String> methods, boolean simple) {

	/**
	 * Return the routes of one mapping to its handler method.
	 * @param handler the handler method
	 * @param patterns the path patterns, one for each route
	 * @param methods the HTTP methods; none means all
	 * @param simple whether patterns and methods are the only conditions
	 * @return a route for each pattern
	 */
	public static Stream<HandlerRoute> of(HandlerMethod handler, Collection<PathPattern> patterns,
			Collection<RequestMethod> methods, boolean simple) {
		HandlerKey key = HandlerKey.of(handler);
		Set<String> names = methods.stream().map(RequestMethod::name).collect(Collectors.toUnmodifiableSet());
		return patterns.stream().map((pattern) -> new HandlerRoute(key, pattern, names, simple));
	}

	/**
	 * Whether the pattern has a variable.
	 * @param variable its name
	 * @return whether requests to the handler have a value for it
	 */
	public boolean declares(String variable) {
		return declares(this.pattern, variable);
	}

	public static boolean declares(PathPattern pattern, String variable) {
		String text = pattern.getPatternString();
		return text.contains("{" + variable + "}") || text.contains("{" + variable + ":")
				|| text.contains("{*" + variable + "}");
	}

	boolean serves(String method) {
		if (this.methods.isEmpty()) {
			return !method.equals("OPTIONS");
		}
		return this.methods.contains(method) || (method.equals("HEAD") && this.methods.contains("GET"));
	}

}
