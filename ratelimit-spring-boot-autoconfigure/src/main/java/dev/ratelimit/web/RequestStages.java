package dev.ratelimit.web;

import java.util.function.Function;

import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;

/**
 * The stages that all requests of a gate share. {@link Passage} processes one request
 * with them.
 *
 * @param engine the engine
 * @param exemptions determines whether rules count a request, and rejects denied
 * addresses
 * @param observer observes requests
 * @param load the load guard of this instance
 * @param levels finds the levels of requests
 * @param early evaluates the early rules
 * @param late evaluates the late rules
 * @param candidates compares decisions with those of a candidate
 * @param editions finds the rules of an edition
 */
record RequestStages(RateLimitEngine engine, Exemptions exemptions, RequestObserver observer, LoadStage load,
		Levels levels, RuleStage<GateRequest> early, RuleStage<GateRequest> late,
		CandidateStage<GateRequest> candidates, Function<Edition, GateRules> editions) {

	GateRules rules(CandidateTrial trial) {
		return this.editions.apply(trial.edition());
	}

	/**
	 * Return whether rules may require the form of a request.
	 * @param current the rules
	 * @param progress the progress of the request
	 * @return whether an active rule or a rule of a candidate requires it
	 */
	boolean readForms(GateRules current, RequestProgress progress) {
		CandidateTrial trial = this.engine.trial(progress.edition());
		return current.rules().readForms() || (trial != null && rules(trial).rules().readForms());
	}

}
