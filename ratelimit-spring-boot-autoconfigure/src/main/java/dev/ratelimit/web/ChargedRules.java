package dev.ratelimit.web;

import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.gate.RequestProgress;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * The rules that a request was charged under already, before its path was rewritten.
 *
 * @param progress how far the request has come
 * @param current the rules
 * @param path the path that it has now
 */
record ChargedRules(RequestProgress progress, GateRules current, PathContainer path) {

	static ChargedRules of(RequestProgress progress, GateRules current, GateRequest request) {
		return new ChargedRules(progress, current, request.parsedPath());
	}

	boolean include(MatchedRule match) {
		return standIns(match).anyMatch((id) -> !match.web().readsRoute() || isCharged(id, match.route()));
	}

	/**
	 * Whether a rule has charged the request, whatever its route was then.
	 * @param match the rule
	 * @return whether it or one that shares its bucket has
	 */
	boolean includeOnAnyRoute(MatchedRule match) {
		return standIns(match).findAny().isPresent();
	}

	// Of rules that share a bucket, one alone may stand for all.
	private Stream<String> standIns(MatchedRule match) {
		Optional<String> bucket = match.web().compiled().rule().numbers().bucket();
		return this.progress.decision()
			.verdicts()
			.stream()
			.map((verdict) -> verdict.policy().ruleId())
			.filter((id) -> id.equals(match.id()) || (bucket.isPresent() && bucket(id).equals(bucket)));
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

	private Optional<String> bucket(String id) {
		return Optional.ofNullable(this.current.rules().byId().get(id))
			.flatMap((rule) -> rule.compiled().rule().numbers().bucket());
	}

}
