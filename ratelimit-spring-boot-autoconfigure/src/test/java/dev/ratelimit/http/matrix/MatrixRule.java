package dev.ratelimit.http.matrix;

import java.util.List;
import java.util.stream.Stream;

/**
 * A rule of the application under test.
 */
enum MatrixRule {

	EARLY_ALL("early-all", Scope.ALL, true, "ip", "limit=1000/d", "paths=/**"),

	LATE_ALL("late-all", Scope.ALL, false, "caller", "limit=1000/d", "paths=/**", "phase=late"),

	TARPIT("tarpit", Scope.ALL, true, "ip", "limit=1000/d", "paths=/**", "on-excess=tarpit", "tarpit.delay=10ms",
			"tarpit.max=100"),

	SLOTS("slots", Scope.ALL, true, "ip", "limit=1", "paths=/**", "algorithm=concurrency"),

	LINE("line", Scope.ALL, false, "ip", "limit=1", "paths=/**", "algorithm=concurrency", "wait=10ms"),

	STRUCK("struck", Scope.ALL, true, "ip", "limit=1000/d", "paths=/**", "ban.after=1", "ban.for=1h",
			"ban.strikes=401"),

	FAILURES("failures", Scope.ALL, true, "ip", "limit=1000/d", "paths=/**", "count-only.status=401"),

	EARLY_TARGET("early-target", Scope.TARGET, true, "ip", "limit=1000/d", "paths=/target/**"),

	LATE_TARGET("late-target", Scope.TARGET, false, "caller", "limit=1000/d", "paths=/target/**", "phase=late"),

	ROUTED("routed", Scope.TARGET, true, "ip,route", "limit=1000/d", "paths=/target/**"),

	GET("get-target", Scope.TARGET, true, "ip", "limit=1000/d", "paths=/target/**", "methods=GET"),

	DELETE("delete-target", Scope.TARGET, true, "ip", "limit=1000/d", "paths=/target/**", "methods=DELETE"),

	ANNOTATED("annotated", Scope.TARGET, true, "ip"),

	KEYED("keyed", Scope.KEYED, true, "ip,header:X-Key,param:k", "limit=1000/d", "paths=/keyed"),

	FORM("form", Scope.FORM, true, "ip,form:username", "limit=1000/d", "paths=/form", "methods=POST"),

	PARAMETER("parameter", Scope.PARAMETER, true, "ip", "limit=1000/d", "paths=/numbers/parameter", "cost=param:n"),

	HEADER("header", Scope.HEADER, true, "ip", "limit=1000/d", "paths=/numbers/header", "cost=header:X-N"),

	BOUND("bound", Scope.BOUND, true, "ip", "limit=1000/d", "paths=/numbers/bound,/numbers/constructed",
			"cost=param:n"),

	CONTENT("content", Scope.FORM, true, "ip", "limit=1000000/d", "paths=/form", "cost=content-length");

	static final long CAPACITY = 1000;

	private final String id;

	private final Scope scope;

	private final boolean early;

	private final List<String> properties;

	MatrixRule(String id, Scope scope, boolean early, String key, String... properties) {
		this.id = id;
		this.scope = scope;
		this.early = early;
		this.properties = Stream.concat(Stream.of("key=" + key), Stream.of(properties))
			.map((property) -> "--ratelimit.rules." + id + "." + property)
			.toList();
	}

	String id() {
		return this.id;
	}

	Scope scope() {
		return this.scope;
	}

	boolean early() {
		return this.early;
	}

	List<String> arguments() {
		return (this == ANNOTATED) ? List.of() : this.properties;
	}

	/** Return whether the rule is charged after the status of the response is known. */
	boolean countsResponses() {
		return this == FAILURES;
	}

	/** Return whether a request without content costs nothing. */
	boolean countsContent() {
		return this == CONTENT;
	}

	/** Return whether the cost is the number that the handler reads. */
	boolean costsNumber() {
		return this == PARAMETER || this == HEADER || this == BOUND;
	}

	/**
	 * Return whether the rule must count a request that reached certain components.
	 * @param seen the components that the request reached
	 * @return whether the rule must count the request
	 */
	boolean covers(Reached.Seen seen) {
		return switch (this.scope) {
			case ALL -> (this.early) ? seen.isExamined() : seen.isPassed();
			case TARGET -> seen.handlers().contains("target") && serves(seen.method());
			case KEYED, FORM, PARAMETER, HEADER, BOUND -> seen.handlers().contains(this.scope.name());
		};
	}

	private boolean serves(String method) {
		return switch (this) {
			case GET -> method.equals("GET") || method.equals("HEAD");
			case DELETE -> method.equals("DELETE");
			default -> true;
		};
	}

	enum Scope {

		ALL, TARGET, KEYED, FORM, PARAMETER, HEADER, BOUND

	}

}
