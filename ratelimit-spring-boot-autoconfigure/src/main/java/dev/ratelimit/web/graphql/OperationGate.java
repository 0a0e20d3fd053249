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
 * Where operations are decided, all their root fields at once. Thread-safe.
 */
final class OperationGate {

	private final RateLimitEngine engine;

	private final RequestGate requests;

	private final RuleStage<GateRequest> stage;

	private final CandidateStage<GateRequest> candidates;

	/**
	 * A gate for the rules of the gate of requests.
	 * @param engine the engine
	 * @param requests the gate of requests, which has the rules
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
	 * The edition that operations meet now.
	 * @return the edition
	 */
	Edition edition() {
		return this.engine.editions().current();
	}

	/**
	 * Whether an edition has a rule of operations.
	 * @param edition the edition
	 * @return whether operations must be decided
	 */
	boolean limits(Edition edition) {
		return !rules(edition).isEmpty();
	}

	private List<GateRule<GateRequest>> rules(Edition edition) {
		return this.requests.rules(edition).operations();
	}

	/**
	 * Decide an operation.
	 * @param edition the edition that it meets
	 * @param call the operation's request
	 * @param operation the operation
	 * @return how far it has come
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
