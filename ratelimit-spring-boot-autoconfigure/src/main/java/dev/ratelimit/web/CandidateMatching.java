package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.RequestProgress;

/**
 * Matches requests with the rules of a candidate beside the active ones.
 *
 * @param stage finds what these would charge
 * @param rules finds the rules of an edition
 */
record CandidateMatching(CandidateStage<GateRequest> stage, Function<Edition, GateRules> rules) {

	static CandidateMatching of(CallReader<GateRequest> reader, Function<Edition, GateRules> rules) {
		return new CandidateMatching(new CandidateStage<>(reader), rules);
	}

	/**
	 * Match a request before the active rules decide.
	 * @param trial the candidate
	 * @param step the active rules that decide
	 * @param request the request
	 * @param sofar how far it has come
	 * @param served the handler with rules that serves it, if there is one
	 * @param route the pattern of the handler that serves it, if a rule needs it and
	 * there is one
	 * @return compares the decision of the active rules
	 */
	Consumer<Decision> begin(CandidateTrial trial, RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served, Optional<String> route) {
		GateRules candidate = rules(trial);
		return this.stage.begin(trial, matches(candidate, step, request, sofar, served, route), request,
				sofar.decision().verdicts().size(), (id) -> !isMoved(step.current(), candidate, id, request));
	}

	boolean readForms(CandidateTrial trial) {
		return rules(trial).rules().readForms();
	}

	// Whether a rule of the candidate requires the form of a request.
	boolean readsForm(CandidateTrial trial, RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served) {
		return readForms(trial) && matches(rules(trial), step, request, sofar, served, Optional.empty()).stream()
			.anyMatch((match) -> trial.changes(match.id()));
	}

	// Whether it matters to a rule of the candidate which handler serves a request.
	boolean readRoutes(CandidateTrial trial) {
		return rules(trial).rules().readRoutes();
	}

	private GateRules rules(CandidateTrial trial) {
		return this.rules.apply(trial.edition());
	}

	private static List<MatchedRule> matches(GateRules candidate, RuleStep step, GateRequest request,
			RequestProgress sofar, Optional<HandlerIndex.Served> served, Optional<String> route) {
		if (step.phase() != null) {
			return step.part().of(GateRules.on(route, candidate.matches(step.phase(), request, served)), request);
		}
		ChargedRules charged = ChargedRules.of(sofar, candidate, request);
		return step.part()
			.of(GateRules.on(route, candidate.matches(request, served)), request)
			.stream()
			.filter((match) -> !charged.include(match))
			.toList();
	}

	// One of the phases, or of their parts, does not know yet what the other decides.
	private static boolean isMoved(GateRules active, GateRules candidate, String id, GateRequest request) {
		WebRule before = active.rules().byId().get(id);
		WebRule after = candidate.rules().byId().get(id);
		return before != null && after != null && (before.phase() != after.phase()
				|| (request.carriesForm() && before.readsForm(request) != after.readsForm(request)));
	}

}
