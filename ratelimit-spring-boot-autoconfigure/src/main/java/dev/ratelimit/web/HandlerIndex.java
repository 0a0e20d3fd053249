package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Internal: finds the handler method that will serve a request, in the same way as the
 * handler mapping: by the most specific pattern whose other conditions match. If pattern
 * and method are not sufficient, the mapping itself is called. Immutable.
 */
public final class HandlerIndex {

	private static final CompletableFuture<Optional<Served>> NONE = CompletableFuture.completedFuture(Optional.empty());

	private static final CompletableFuture<Optional<String>> NO_ROUTE = CompletableFuture
		.completedFuture(Optional.empty());

	private static final Comparator<HandlerRoute> MOST_SPECIFIC_FIRST = Comparator.comparing(HandlerRoute::pattern,
			PathPattern.SPECIFICITY_COMPARATOR);

	/** An index without handlers. */
	public static final HandlerIndex EMPTY = new HandlerIndex(List.of(), (handler) -> false, "");

	private final PathIndex<HandlerRoute> routes;

	private final Predicate<HandlerKey> limited;

	private final String prefix;

	private final boolean empty;

	private final boolean preceded;

	/**
	 * Index handlers.
	 * @param routes all routes of all handler methods
	 * @param limited whether a handler method has rules
	 * @param prefix the path of the dispatcher, which patterns do not include
	 */
	public HandlerIndex(Collection<HandlerRoute> routes, Predicate<HandlerKey> limited, String prefix) {
		this(routes, limited, prefix, false);
	}

	/**
	 * Index handlers that other handler mappings precede.
	 * @param routes all routes of all handler methods
	 * @param limited whether a handler method has rules
	 * @param prefix the path of the dispatcher, which patterns do not include
	 * @param preceded whether other mappings must be called first
	 */
	public HandlerIndex(Collection<HandlerRoute> routes, Predicate<HandlerKey> limited, String prefix,
			boolean preceded) {
		this.limited = limited;
		this.preceded = preceded;
		this.prefix = prefix;
		this.empty = routes.stream().noneMatch((route) -> limited.test(route.handler()));
		// Each handler mapping has its own parser, which may ignore case.
		this.routes = PathIndex.of(routes.stream().sorted(MOST_SPECIFIC_FIRST).toList(),
				(route) -> List.of(route.pattern()), true);
	}

	/**
	 * Find the handler of a request, if it has rules.
	 * @param request the request
	 * @return the handler and the pattern that matched
	 */
	public CompletableFuture<Optional<Served>> find(GateRequest request) {
		if (this.empty || !isDispatched(request)) {
			return NONE;
		}
		PathContainer path = withoutPrefix(request);
		List<PathEntry<HandlerRoute>> candidates = this.routes.candidates(path);
		if (!hasLimited(candidates, path)) {
			return NONE;
		}
		return find(request, path, matching(candidates, path));
	}

	/**
	 * Find the pattern of the handler that serves a request, even if it has no rules.
	 * @param request the request
	 * @return the pattern; empty if no handler method and no router function serves it
	 */
	CompletableFuture<Optional<String>> findRoute(GateRequest request) {
		if (!isDispatched(request)) {
			return NO_ROUTE;
		}
		PathContainer path = withoutPrefix(request);
		List<HandlerRoute> serving = serving(matching(this.routes.candidates(path), path), request.method());
		return (!this.preceded && !serving.isEmpty() && isPlain(serving, request.method()))
				? CompletableFuture.completedFuture(Optional.of(serving.get(0).pattern().getPatternString()))
				: request.findRoute();
	}

	// Fast path: most requests have no limited handler.
	private boolean hasLimited(List<PathEntry<HandlerRoute>> candidates, PathContainer path) {
		for (int i = 0; i < candidates.size(); i++) {
			PathEntry<HandlerRoute> candidate = candidates.get(i);
			if (this.limited.test(candidate.value().handler()) && candidate.pattern().matches(path)) {
				return true;
			}
		}
		return false;
	}

	private CompletableFuture<Optional<Served>> find(GateRequest request, PathContainer path,
			List<HandlerRoute> matching) {
		List<HandlerRoute> serving = serving(matching, request.method());
		if (serving.isEmpty()) {
			return NONE;
		}
		if (isPlain(serving, request.method())) {
			Optional<Served> first = served(serving.get(0), path);
			return (this.preceded && first.isPresent())
					? request.hasOtherHandler().thenApply((others) -> (others) ? Optional.empty() : first)
					: CompletableFuture.completedFuture(first);
		}
		return request.findHandler()
			.thenApply((found) -> found.flatMap((handler) -> serving.stream()
				.filter((route) -> route.handler().equals(handler))
				.findFirst()
				.flatMap((route) -> served(route, path))));
	}

	private static List<HandlerRoute> serving(List<HandlerRoute> matching, String method) {
		return matching.stream().filter((route) -> route.serves(method)).toList();
	}

	private Optional<Served> served(HandlerRoute route, PathContainer path) {
		return (this.limited.test(route.handler())) ? Optional.of(new Served(route.handler(), route.pattern(), path))
				: Optional.empty();
	}

	// Whether the mapping will select the first route. For HEAD, the mapping prefers a
	// handler with explicit methods to a more specific one for all methods.
	private static boolean isPlain(List<HandlerRoute> serving, String method) {
		HandlerRoute first = serving.get(0);
		if (serving.size() == 1) {
			return first.simple();
		}
		boolean tie = MOST_SPECIFIC_FIRST.compare(first, serving.get(1)) == 0;
		return first.simple() && !tie && !method.equals("HEAD");
	}

	private static List<HandlerRoute> matching(List<PathEntry<HandlerRoute>> candidates, PathContainer path) {
		List<HandlerRoute> matching = new ArrayList<>(2);
		for (PathEntry<HandlerRoute> candidate : candidates) {
			if (candidate.pattern().matches(path)) {
				matching.add(candidate.value());
			}
		}
		return matching;
	}

	private boolean isDispatched(GateRequest request) {
		String path = request.path();
		return !request.isDispatched() || (path.startsWith(this.prefix)
				&& (path.length() == this.prefix.length() || path.charAt(this.prefix.length()) == '/'));
	}

	private PathContainer withoutPrefix(GateRequest request) {
		PathContainer path = request.parsedPath();
		return (this.prefix.isEmpty() || !request.isDispatched()) ? path
				: RequestPaths.withinApplication(path.value().substring(this.prefix.length()), "");
	}

	/**
	 * The handler that serves a request, and the match.
	 *
	 * @param handler the handler method
	 * @param pattern the pattern that matched
	 * @param path the path that the pattern matched
	 */
	public record Served(HandlerKey handler, PathPattern pattern, PathContainer path) {
	}

}
