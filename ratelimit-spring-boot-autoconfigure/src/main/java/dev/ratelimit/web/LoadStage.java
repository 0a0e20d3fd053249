package dev.ratelimit.web;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a stage around the rules of one phase that protects this instance against
 * more requests than it can process. Thread-safe.
 */
public interface LoadStage {

	/** The stage of an instance without a load guard: requests take no seats. */
	LoadStage NONE = new LoadStage() {

		@Override
		public boolean isOf(Phase phase) {
			return false;
		}

		@Override
		public LevelRule level(Entry entry, GateRequest request, @Nullable Level annotated) {
			return LevelRule.ALL;
		}

		@Override
		public boolean sheds(Entry entry, GateRequest request, LevelRule level) {
			return false;
		}

		@Override
		public CompletableFuture<RequestProgress> seat(Entry entry, CompletableFuture<RequestProgress> charged,
				GateRequest request, LevelRule level, RuleStage<GateRequest> rules) {
			return charged;
		}

		@Override
		public CompletableFuture<RequestProgress> seatAfterWait(CompletableFuture<RequestProgress> charged,
				GateRequest request, @Nullable Level annotated, RuleStage<GateRequest> rules) {
			return charged;
		}

		@Override
		public Optional<ExpectedSeat> expected(GateRequest request, @Nullable Level annotated) {
			return Optional.empty();
		}

	};

	/**
	 * Whether this stage surrounds the rules of a phase.
	 * @param phase early or late
	 * @return whether it surrounds them
	 */
	boolean isOf(Phase phase);

	/**
	 * The level of a request.
	 * @param entry the kind of the request
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @return its level, and whether it keeps a seat
	 */
	LevelRule level(Entry entry, GateRequest request, @Nullable Level annotated);

	/**
	 * Whether to shed a request before the evaluation of the rules.
	 * @param entry the kind of the request
	 * @param request the request
	 * @param level its level
	 * @return whether it cannot get a seat
	 */
	boolean sheds(Entry entry, GateRequest request, LevelRule level);

	/**
	 * Give a request a seat if the rules allow it.
	 * @param entry the kind of the request
	 * @param charged the progress after the rules
	 * @param request the request
	 * @param level its level
	 * @param rules rejects the request if it is shed
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> seat(Entry entry, CompletableFuture<RequestProgress> charged,
			GateRequest request, LevelRule level, RuleStage<GateRequest> rules);

	/**
	 * Give a request a seat after a wait in a queue, during which it has none.
	 * @param charged the progress after the rules, for which the request may wait
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @param rules rejects the request if it is shed
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> seatAfterWait(CompletableFuture<RequestProgress> charged, GateRequest request,
			@Nullable Level annotated, RuleStage<GateRequest> rules);

	/**
	 * Predict the treatment of a request at this time. The request is not counted.
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @return its level, and whether it would be shed; empty if requests take no seats
	 */
	Optional<ExpectedSeat> expected(GateRequest request, @Nullable Level annotated);

}
