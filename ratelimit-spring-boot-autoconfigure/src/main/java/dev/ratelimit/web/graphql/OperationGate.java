package dev.ratelimit.web.graphql;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.RequestGate;
import org.jspecify.annotations.Nullable;

/**
 * The gate for GraphQL operations, which evaluates all root fields of an operation at
 * once. Thread-safe.
 */
final class OperationGate {

	private final RateLimitEngine engine;

	private final RequestGate requests;

	private final RuleStage<GateRequest> stage;

	private final CandidateStage<GateRequest> candidates;

	/**
	 * Create a gate with the rules of the gate of requests.
	 * @param engine the engine
	 * @param requests the gate of requests, which compiles the rules
	 * @param observer observes the operations
	 */
	OperationGate(RateLimitEngine engine, RequestGate requests, PassageObserver observer) {
		this.engine = engine;
		this.requests = requests;
		this.stage = new RuleStage<>(engine, requests.settings(), requests.settings().partitionKeys(),
				PassageObserver.GRAPHQL, observer);
		this.candidates = new CandidateStage<>(requests.settings());
	}

	/**
	 * Return the edition for new operations.
	 * @return the edition
	 */
	Edition edition() {
		return this.engine.editions().current();
	}

	/**
	 * Return whether an edition has a rule of operations.
	 * @param edition the edition
	 * @return whether operations must be evaluated
	 */
	boolean limits(Edition edition) {
		return !rules(edition).isEmpty();
	}

	private List<GateRule<GateRequest>> rules(Edition edition) {
		return this.requests.rules(edition).operations();
	}

	/**
	 * Evaluate the rules of an operation.
	 * @param edition the edition of the rules
	 * @param call the operation's request
	 * @param operation the operation
	 * @return the progress of the operation
	 */
	CompletableFuture<RequestProgress> decide(Edition edition, GateRequest call, Operation operation) {
		Consumer<Decision> comparison = comparison(edition, call, operation);
		CompletableFuture<RequestProgress> decided = this.stage.enter(OperationMatch.all(rules(edition), operation),
				call, RequestProgress.in(edition));
		if (comparison != null) {
			return decided.thenApply((progress) -> {
				comparison.accept(progress.decision());
				return progress;
			});
		}
		return decided;
	}

	private @Nullable Consumer<Decision> comparison(Edition edition, GateRequest call, Operation operation) {
		CandidateTrial trial = this.engine.trial(edition);
		return (trial != null) ? this.candidates.begin(trial, OperationMatch.all(rules(trial.edition()), operation),
				call, 0, (id) -> true) : null;
	}

}
