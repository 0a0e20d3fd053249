package dev.ratelimit.web;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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
	 * Shed a request, or evaluate the rules and give the request a seat if they allow it.
	 * @param entry how the request enters
	 * @param charge evaluates the rules, once at most
	 * @param request the request
	 * @param sofar how far the request has come
	 * @param annotated the level of its handler, if it has one
	 * @param rules rejects the request if it is shed
	 * @return how far the request has come
	 */
	CompletableFuture<RequestProgress> admit(Entry entry, Supplier<CompletableFuture<RequestProgress>> charge,
			GateRequest request, RequestProgress sofar, @Nullable Level annotated, RuleStage<GateRequest> rules);

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
