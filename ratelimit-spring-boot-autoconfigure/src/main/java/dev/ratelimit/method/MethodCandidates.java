package dev.ratelimit.method;

import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CandidateStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules of a candidate for calls of methods. Thread-safe.
 */
final class MethodCandidates {

	private final CandidateStage<MethodCall> stage = new CandidateStage<>(new CallReader<>() {
	});

	private final RateLimitEngine engine;

	MethodCandidates(RateLimitEngine engine) {
		this.engine = engine;
	}

	/**
	 * Find what the candidate would charge, before the active rules decide.
	 * @param method the method
	 * @param call the call
	 * @param part finds the rules of methods in an edition
	 * @return compares the decision; null if there is no candidate
	 */
	@Nullable Consumer<Decision> begin(LimitedMethod method, MethodCall call, @Nullable EditionPart<MethodRules> part) {
		CandidateTrial trial = this.engine.trial(this.engine.editions().current());
		if (trial == null) {
			return null;
		}
		List<MethodRule> rules = (part != null) ? part.in(trial.edition()).rules(method) : List.of();
		return this.stage.begin(trial, rules, call, 0, (id) -> true);
	}

}
