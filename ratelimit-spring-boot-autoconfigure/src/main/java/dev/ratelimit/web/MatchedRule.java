package dev.ratelimit.web;

import java.util.Optional;

import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.web.request.GateRequest;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;

/**
 * Internal: a rule that applies to a request, and by which pattern. Immutable.
 *
 * @param web the rule
 * @param pattern the path pattern that matched
 * @param path the path that the pattern matched
 */
public record MatchedRule(WebRule web, PathPattern pattern, PathContainer path) implements RuleMatch<GateRequest> {

	@Override
	public GateRule<GateRequest> rule() {
		return this.web.rule();
	}

	public String id() {
		return this.web.id();
	}

	@Override
	public String route() {
		return this.pattern.getPatternString();
	}

	@Override
	public Optional<String> variable(String name) {
		PathMatchInfo info = this.pattern.matchAndExtract(this.path);
		return (info != null) ? Optional.ofNullable(info.getUriVariables().get(name)) : Optional.empty();
	}

}
