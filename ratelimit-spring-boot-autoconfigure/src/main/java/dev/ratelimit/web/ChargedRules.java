package dev.ratelimit.web;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * The rules that have charged a request before its path was rewritten.
 *
 * @param progress the progress of the request
 * @param current the rules
 * @param path the current path
 */
record ChargedRules(RequestProgress progress, GateRules current, PathContainer path) {

	static ChargedRules of(RequestProgress progress, GateRules current, GateRequest request) {
		return new ChargedRules(progress, current, request.parsedPath());
	}

	/**
	 * Omit the rules that have charged the request on the route on which they match it.
	 * @param matches the rules that match the request
	 * @return the other rules
	 */
	List<MatchedRule> without(List<MatchedRule> matches) {
		return matches.stream()
			.filter((match) -> standIns(match)
				.noneMatch((id) -> !match.web().readsRoute() || isCharged(id, match.route())))
			.toList();
	}

	/**
	 * Omit the rules that have charged the request on any route.
	 * @param matches the rules that match the request
	 * @return the other rules
	 */
	List<MatchedRule> withoutOnAnyRoute(List<MatchedRule> matches) {
		return matches.stream().filter((match) -> standIns(match).findAny().isEmpty()).toList();
	}

	// If rules share a bucket, the decision may contain only one of them. With another
	// key, the charge may be that of another subject.
	private Stream<String> standIns(MatchedRule match) {
		return this.progress.decision()
			.verdicts()
			.stream()
			.map((verdict) -> verdict.policy().ruleId())
			.filter((id) -> id.equals(match.id()) || sharesBucket(id, match.web().compiled().rule()));
	}

	private boolean sharesBucket(String id, Rule rule) {
		WebRule other = this.current.rules().byId().get(id);
		return other != null && rule.numbers().bucket().isPresent()
				&& rule.numbers().bucket().equals(other.compiled().rule().numbers().bucket())
				&& rule.key().equals(other.compiled().rule().key());
	}

	private boolean isCharged(String id, String route) {
		WebRule rule = this.current.rules().byId().get(id);
		Lookup lookup = Lookup.in(this.progress);
		while (rule != null && lookup != null) {
			if (!lookup.isOf(this.path) && route.equals(route(rule, lookup))) {
				return true;
			}
			lookup = lookup.before().orElse(null);
		}
		return false;
	}

	private static @Nullable String route(WebRule rule, Lookup lookup) {
		return lookup.route()
			.flatMap(Lookup.ServedRoute::pattern)
			.orElseGet(() -> rule.ownRoute(lookup.path()).orElse(null));
	}

}
