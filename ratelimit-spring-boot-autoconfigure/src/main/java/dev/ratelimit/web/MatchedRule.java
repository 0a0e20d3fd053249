package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: a rule that applies to a request, and the pattern by which it matched.
 * Immutable.
 *
 * @param web the rule
 * @param pattern the path pattern that matched
 * @param path the path that the pattern matched
 * @param route the route of the front if the front references the rule; otherwise the
 * pattern of the handler that serves the request if the rule requires it and there is
 * one; otherwise the pattern that matched
 * @param variables the variables of the path if the front references the rule; otherwise
 * empty, because those of the pattern apply
 */
public record MatchedRule(WebRule web, PathPattern pattern, PathContainer path, String route,
		Map<String, String> variables) implements RuleMatch<GateRequest> {

	private static final PathPattern ANY_PATH = PathPatternParser.defaultInstance.parse("/**");

	MatchedRule(WebRule web, PathPattern pattern, PathContainer path) {
		this(web, pattern, path, pattern.getPatternString(), Map.of());
	}

	/**
	 * A rule that a front references.
	 * @param web the rule
	 * @param path the path of the request
	 * @param named the reference of the front
	 * @return the match, of any path
	 */
	static MatchedRule of(WebRule web, PathContainer path, NamedRules named) {
		return new MatchedRule(web, ANY_PATH, path, named.route(), named.variables());
	}

	/**
	 * Return the same match for a request that a handler serves.
	 * @param served the pattern of the handler; empty if none serves the request
	 * @return the match, with the handler's pattern as the route if the rule requires it
	 */
	MatchedRule servedBy(Optional<String> served) {
		return (served.isPresent() && this.web.readsRoute())
				? new MatchedRule(this.web, this.pattern, this.path, served.get(), this.variables) : this;
	}

	@Override
	public GateRule<GateRequest> rule() {
		return this.web.rule();
	}

	@Override
	public boolean dependsOnRoute() {
		return this.web.readsRoute();
	}

	public String id() {
		return this.web.id();
	}

	boolean replaces(MatchedRule other) {
		return this.web.compiled().replaces().contains(other.id());
	}

	/**
	 * Whether the rule counts a request of a kind.
	 * @param entry the kind of the request
	 * @param request the request
	 * @return whether the rule charges it
	 */
	boolean counts(Entry entry, GateRequest request) {
		return entry == Entry.COUNTED
				|| (entry.presentsCredentials() && this.web.countsCredentials(request) && !lacksKey(request));
	}

	// Probes and scrapers may lack the key that identifies clients of the application.
	private boolean lacksKey(GateRequest request) {
		return rule().requiresKey() && (this.web.readsForm(request) || rule().expectedSubject(request, this).isEmpty());
	}

	@Override
	public Optional<String> variable(String name) {
		String given = this.variables.get(name);
		if (given != null) {
			return Optional.of(given);
		}
		PathMatchInfo info = this.pattern.matchAndExtract(this.path);
		return (info != null) ? Optional.ofNullable(info.getUriVariables().get(name)) : Optional.empty();
	}

}
