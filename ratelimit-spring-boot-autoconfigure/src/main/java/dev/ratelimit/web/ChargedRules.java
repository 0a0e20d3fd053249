package dev.ratelimit.web;

import java.util.Optional;

import dev.ratelimit.Decision;

/**
 * The rules that a request was charged under already.
 *
 * @param decision the decisions on the request so far
 * @param current the rules
 */
record ChargedRules(Decision decision, GateRules current) {

	// Of rules that share a bucket, one alone may stand for all.
	boolean include(MatchedRule match) {
		Optional<String> bucket = match.web().compiled().rule().numbers().bucket();
		return this.decision.verdicts()
			.stream()
			.map((verdict) -> verdict.policy().ruleId())
			.anyMatch((id) -> id.equals(match.id()) || (bucket.isPresent() && bucket(id).equals(bucket)));
	}

	private Optional<String> bucket(String id) {
		return Optional.ofNullable(this.current.rules().byId().get(id))
			.flatMap((rule) -> rule.compiled().rule().numbers().bucket());
	}

}
