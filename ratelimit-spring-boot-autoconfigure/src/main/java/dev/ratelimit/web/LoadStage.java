package dev.ratelimit.web;

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

	/**
	 * Whether this stage surrounds the rules of a phase.
	 * @param phase early or late
	 * @return whether it does
	 */
	boolean isOf(Phase phase);

	/**
	 * The level of a request.
	 * @param entry how the request enters
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @return its level, and whether it keeps a seat
	 */
	LevelRule level(Entry entry, GateRequest request, @Nullable Level annotated);

	/**
	 * Whether to shed a request before the rules are evaluated.
	 * @param entry how the request enters
	 * @param request the request
	 * @param level its level
	 * @return whether it has no chance of a seat
	 */
	boolean sheds(Entry entry, GateRequest request, LevelRule level);

	/**
	 * Give a request a seat if the rules allow it.
	 * @param entry how the request enters
	 * @param charged how far it has come by the rules
	 * @param request the request
	 * @param level its level
	 * @param rules rejects the request if it is shed
	 * @return how far the request has come
	 */
	CompletableFuture<RequestProgress> seat(Entry entry, CompletableFuture<RequestProgress> charged,
			GateRequest request, LevelRule level, RuleStage<GateRequest> rules);

	/**
	 * Give a request a seat that has waited in a queue, where it has none.
	 * @param charged the rules that it may have to wait for
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @param rules rejects the request if it is shed
	 * @return how far the request has come
	 */
	CompletableFuture<RequestProgress> again(CompletableFuture<RequestProgress> charged, GateRequest request,
			@Nullable Level annotated, RuleStage<GateRequest> rules);

	/**
	 * Predict what would become of a request now. Nothing is counted.
	 * @param request the request
	 * @param annotated the level of its handler, if it has one
	 * @return its level, and whether it would be shed
	 */
	ExpectedSeat expected(GateRequest request, @Nullable Level annotated);

}
