package dev.ratelimit.web;

import java.util.Optional;

import dev.ratelimit.gate.RequestProgress;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * Internal: the handler of a request, kept from one phase to the next. Filters between
 * the phases may wrap the request, but must not change the properties that select the
 * handler. Immutable.
 *
 * @param index the index that was searched
 * @param method the request's method
 * @param path its path after the context path
 * @param served the handler with rules that serves it, if there is one
 * @param route the pattern of the handler that serves it; empty if no rule requires it
 * @param before the lookup of the request under its earlier path, if rules have charged
 * it by the route of that path
 */
public record Lookup(HandlerIndex index, String method, PathContainer path, Optional<HandlerIndex.Served> served,
		Optional<ServedRoute> route, Optional<Lookup> before) implements RequestProgress.Matched {

	static Lookup of(HandlerIndex index, GateRequest request, Optional<HandlerIndex.Served> served) {
		return new Lookup(index, request.method(), request.parsedPath(), served, Optional.empty(), Optional.empty());
	}

	/**
	 * Return this lookup with the route.
	 * @param found the pattern of the handler that serves the request, if one does
	 * @param begun the progress of the request
	 * @return the lookup
	 */
	Lookup on(Optional<String> found, RequestProgress begun) {
		Optional<Lookup> current = Optional.ofNullable(in(begun));
		Optional<Lookup> other = current.filter((lookup) -> lookup.route.isPresent() && !isOf(lookup.path))
			.or(() -> current.flatMap(Lookup::before));
		return new Lookup(this.index, this.method, this.path, this.served, Optional.of(new ServedRoute(found)), other);
	}

	/**
	 * Whether this lookup is for a path.
	 * @param other the path
	 * @return whether both are the same
	 */
	boolean isOf(PathContainer other) {
		return this.path.value().equals(other.value());
	}

	static @Nullable Lookup in(RequestProgress progress) {
		return (progress.matched() instanceof Lookup lookup) ? lookup : null;
	}

	/**
	 * The path after the context path. It is parsed unless an earlier phase has parsed
	 * it.
	 * @param progress the progress of the request
	 * @param path the raw path of the request
	 * @param contextPath the raw context path; empty if there is none
	 * @return the parsed path
	 */
	public static PathContainer path(RequestProgress progress, String path, String contextPath) {
		Lookup lookup = in(progress);
		return (lookup != null && lookup.isOf(path, contextPath)) ? lookup.path()
				: RequestPaths.withinApplication(path, contextPath);
	}

	boolean answers(HandlerIndex index, GateRequest request) {
		return this.index == index && this.method.equals(request.method()) && this.path.value().equals(request.path());
	}

	// A malformed path is parsed from a different text, so it does not match and is
	// parsed again.
	boolean isOf(String raw, String contextPath) {
		String rest = this.path.value();
		return raw.length() == contextPath.length() + rest.length() && raw.startsWith(contextPath)
				&& raw.endsWith(rest);
	}

	/**
	 * The result of the search for a route.
	 *
	 * @param pattern the pattern of the handler; empty if none serves the request
	 */
	public record ServedRoute(Optional<String> pattern) {
	}

}
