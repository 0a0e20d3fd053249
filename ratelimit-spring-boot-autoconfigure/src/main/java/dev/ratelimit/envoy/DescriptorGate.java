package dev.ratelimit.envoy;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.envoy.DescriptorMatch.DescriptorCall;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitRequest;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

/**
 * The gate for calls of Envoy. A call is charged for all of its descriptors or none.
 * Thread-safe.
 */
final class DescriptorGate {

	private static final DescriptorCall CALL = new DescriptorCall();

	private final RateLimitEngine engine;

	private final RuleStage<DescriptorCall> stage;

	private final CandidateStage<DescriptorCall> candidates = new CandidateStage<>(new CallReader<>() {
	});

	private final EditionPart<DescriptorTable> table;

	/**
	 * Create a gate for the rules of the active edition and of later editions.
	 * @param engine the engine
	 * @param observer observes the calls
	 */
	DescriptorGate(RateLimitEngine engine, PassageObserver observer) {
		this.engine = engine;
		this.stage = new RuleStage<>(engine, PassageObserver.ENVOY, observer);
		this.table = engine.editions()
			.addPart(DescriptorTable.EMPTY, (next, before) -> DescriptorTable.of(next.compiled().values()));
	}

	/**
	 * Decide a call.
	 * @param request the call, which is valid
	 * @param budgetNanos the maximum time that it waits for the store
	 * @return the decision
	 */
	CompletableFuture<Decided> decide(RateLimitRequest request, long budgetNanos) {
		Edition edition = this.engine.editions().current();
		DescriptorMatches matches = DescriptorMatches.of(this.table.in(edition), request);
		Consumer<Decision> comparison = comparison(edition, request);
		long spentNanos = this.engine.deadline().toNanos() - budgetNanos;
		return this.stage.enter(matches.all(), CALL, RequestProgress.in(edition, spentNanos)).thenApply((progress) -> {
			if (comparison != null) {
				comparison.accept(progress.decision());
			}
			return decided(matches, progress);
		});
	}

	private @Nullable Consumer<Decision> comparison(Edition edition, RateLimitRequest request) {
		CandidateTrial trial = this.engine.trial(edition);
		return (trial != null) ? this.candidates.begin(trial,
				DescriptorMatches.of(this.table.in(trial.edition()), request).all(), CALL, 0, (id) -> true) : null;
	}

	private Decided decided(DescriptorMatches matches, RequestProgress progress) {
		Decided decided = Decided.of(matches, progress, this::isSanctioned);
		if (decided.allowed() && matches.all().stream().anyMatch((match) -> match.units() == 0)) {
			decided = decided.withoutExhausted();
			if (!decided.allowed()) {
				progress.cancel();
			}
		}
		if (!decided.allowed()) {
			matches.all().stream().filter((match) -> match.reported() > 0).forEach(this::overdraw);
		}
		return decided;
	}

	private boolean isSanctioned(DescriptorMatch match) {
		return this.engine.editions().sanctions().find(match.rule().id(), match.subject().orElseThrow()) != null;
	}

	// The units are already used, so they are charged even if the limit is exceeded. The
	// call does not wait for the charge.
	private void overdraw(DescriptorMatch match) {
		String subject = match.subject().orElseThrow();
		CompiledRule rule = match.rule().compiled().of(subject);
		this.engine.overdraw(AppliedRule.of(rule, subject, match.reported()));
	}

}
