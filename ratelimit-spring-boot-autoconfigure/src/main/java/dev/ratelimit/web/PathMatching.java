package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.rule.Exemption;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * Matches one request with the rules that apply by paths.
 *
 * @param rules the rules
 * @param phase early or late, or both if there is none
 * @param method the request's method
 * @param named the ids of rules that apply by the handler, and need no path
 */
record PathMatching(WebRules rules, @Nullable Phase phase, String method, List<String> named) {

	private static final Comparator<MatchedRule> BY_ID = Comparator.comparing(MatchedRule::id);

	/**
	 * The rules that apply by one path.
	 * @param path the path
	 * @param exempt what the path is exempt from
	 * @return the rules, in the order of their ids
	 */
	List<MatchedRule> by(PathContainer path, Exemption exempt) {
		List<PathEntry<WebRule>> candidates = this.rules.candidates(path);
		if (candidates.isEmpty() || exempt.all()) {
			return List.of();
		}
		List<MatchedRule> matches = new ArrayList<>(Math.min(candidates.size(), 4));
		WebRule last = null;
		for (int i = 0; i < candidates.size(); i++) {
			PathEntry<WebRule> candidate = candidates.get(i);
			WebRule rule = candidate.value();
			if (rule != last && concerns(rule, exempt) && rule.matches(candidate.pattern(), this.method, path)) {
				matches.add(new MatchedRule(rule, candidate.pattern(), path));
				last = rule;
			}
		}
		return matches;
	}

	/**
	 * The rules that apply by either of two paths. A request that may be served by
	 * another path than it was sent with meets the rules of both: it is not known here
	 * which one it will be.
	 * @param path the path as it was sent
	 * @param exempt what it is exempt from
	 * @param normalized the other path
	 * @param normalizedExempt what that one is exempt from
	 * @return the rules, in the order of their ids, a rule's two matches one after the
	 * other
	 */
	List<MatchedRule> by(PathContainer path, Exemption exempt, PathContainer normalized, Exemption normalizedExempt) {
		List<MatchedRule> matches = new ArrayList<>(by(path, exempt));
		matches.addAll(by(normalized, normalizedExempt));
		matches.sort(BY_ID);
		return matches;
	}

	private boolean concerns(WebRule rule, Exemption exempt) {
		return (this.phase == null || rule.phase() == this.phase) && !this.named.contains(rule.id())
				&& !exempt.covers(rule.id());
	}

}
