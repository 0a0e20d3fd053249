package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.Phase;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.PathCover;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that is compiled for requests: its patterns are parsed, its key is converted to
 * functions, and the properties for matching are computed once. Immutable.
 */
final class WebRule {

	private final GateRule<GateRequest> rule;

	private final List<PathPattern> paths;

	private final List<PathPattern> exceptPaths;

	private final List<String> methods;

	private final Phase phase;

	private final boolean readsForm;

	private final boolean costsParameter;

	private final boolean readsRoute;

	/**
	 * Create a rule.
	 * @param rule the rule, with its key, cost, and access lists
	 * @param paths its patterns, the most specific first
	 * @param exceptPaths patterns of excluded paths
	 * @param methods the HTTP methods; none means all
	 * @param phase early or late
	 */
	WebRule(GateRule<GateRequest> rule, List<PathPattern> paths, List<PathPattern> exceptPaths, List<String> methods,
			Phase phase) {
		this.rule = rule;
		this.paths = paths;
		this.exceptPaths = exceptPaths;
		this.methods = methods;
		this.phase = phase;
		Rule written = rule.compiled().rule();
		this.readsForm = written.key().parts().stream().anyMatch((part) -> part.kind() == KeyPart.Kind.FORM);
		this.costsParameter = written.numbers().cost().kind() == Cost.Kind.PARAM;
		this.readsRoute = Stream
			.concat(written.key().parts().stream(), written.reaction().waiting().flatMap(Waiting::fairBy).stream())
			.anyMatch((part) -> part.kind() == KeyPart.Kind.ROUTE);
	}

	/**
	 * The rule, with its key, cost, and access lists.
	 * @return the rule
	 */
	GateRule<GateRequest> rule() {
		return this.rule;
	}

	List<PathPattern> paths() {
		return this.paths;
	}

	/**
	 * The phase that evaluates the rule.
	 * @return early or late
	 */
	Phase phase() {
		return this.phase;
	}

	CompiledRule compiled() {
		return this.rule.compiled();
	}

	// The rule in another mode.
	WebRule in(CompiledRule other) {
		return (other == compiled()) ? this
				: new WebRule(this.rule.in(other), this.paths, this.exceptPaths, this.methods, this.phase);
	}

	String id() {
		return this.rule.id();
	}

	/**
	 * Whether the rule applies to a request by one of its patterns.
	 * @param pattern the pattern
	 * @param method the request's method
	 * @param path the request's path
	 * @return whether pattern and method match, and the path is not excluded
	 */
	boolean matches(PathPattern pattern, String method, PathContainer path) {
		return matchesMethod(method) && pattern.matches(path) && first(this.exceptPaths, path) == null;
	}

	/**
	 * Return the reason why the rule does not apply to a request by path and method.
	 * @param method the request's method
	 * @param path the request's path
	 * @return the reason, a clause; empty if it applies
	 */
	String mismatch(String method, PathContainer path) {
		if (this.paths.isEmpty()) {
			return "the rule has no paths; only annotations or code reference it";
		}
		if (!matchesMethod(method)) {
			return "the method is not one of the rule's methods " + this.methods;
		}
		if (first(this.paths, path) == null) {
			return "the path does not match the rule's paths " + this.paths;
		}
		PathPattern except = first(this.exceptPaths, path);
		return (except != null) ? "the path is excluded by " + except : "";
	}

	/**
	 * Whether a request may match this rule and another one by its path.
	 * @param other the other rule
	 * @return false if it is certain that there is none, or if one of the rules has no
	 * paths
	 */
	boolean mayMeet(WebRule other) {
		boolean method = this.methods.isEmpty() || other.methods.isEmpty()
				|| this.methods.stream().anyMatch(other.methods::contains);
		return method && this.paths.stream()
			.anyMatch((path) -> other.paths.stream()
				.anyMatch((its) -> PathCover.mayMeet(path.getPatternString(), its.getPatternString())));
	}

	/**
	 * Whether the route is a part of the key, or of the flow in the rule's queues.
	 * @return whether the rule depends on the handler that serves a request
	 */
	boolean readsRoute() {
		return this.readsRoute;
	}

	/**
	 * The route of requests that no handler serves.
	 * @param path the path of the request
	 * @return the first matching pattern of the rule, if there is one
	 */
	Optional<String> ownRoute(PathContainer path) {
		return Optional.ofNullable(first(this.paths, path)).map(PathPattern::getPatternString);
	}

	// Whether the content must be read before the rule is evaluated.
	boolean readsForm(GateRequest request) {
		return this.readsForm || (this.costsParameter && request.mergesForms());
	}

	boolean mayReadForm() {
		return this.readsForm || this.costsParameter;
	}

	/**
	 * Whether the key reads a header that a request has.
	 * @param request the request
	 * @param except the headers to ignore
	 * @return whether the request has another header that the key reads
	 */
	boolean readsHeader(GateRequest request, Set<String> except) {
		for (KeyPart part : compiled().rule().key().parts()) {
			if (part.kind() == KeyPart.Kind.HEADER && !except.contains(part.argument())
					&& !request.headers(part.argument()).isEmpty()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether the rule counts credentials that a request presents to management. Such a
	 * rule is evaluated before authentication, and its key depends on the client's
	 * address or on a header of the request.
	 * @param request the request
	 * @return whether it counts them
	 */
	boolean countsCredentials(GateRequest request) {
		if (this.phase != Phase.EARLY) {
			return false;
		}
		for (KeyPart part : compiled().rule().key().parts()) {
			if (part.kind() == KeyPart.Kind.IP) {
				return true;
			}
		}
		return readsHeader(request, Set.of());
	}

	boolean reserves() {
		return compiled().rule().numbers().reserves();
	}

	// Whether there may be actions at the end of a request.
	boolean ends() {
		return compiled().refunds() || compiled().counts() || compiled().holdsSlots();
	}

	boolean replaces() {
		return !compiled().replaces().isEmpty();
	}

	// A rule for GET also applies to HEAD, which handlers of GET serve, and to CONNECT,
	// which opens WebSockets over HTTP/2 as GET does over HTTP/1.1.
	private boolean matchesMethod(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| ((method.equals("HEAD") || method.equals("CONNECT")) && this.methods.contains("GET"));
	}

	private static @Nullable PathPattern first(List<PathPattern> patterns, PathContainer path) {
		for (PathPattern pattern : patterns) {
			if (pattern.matches(path)) {
				return pattern;
			}
		}
		return null;
	}

}
