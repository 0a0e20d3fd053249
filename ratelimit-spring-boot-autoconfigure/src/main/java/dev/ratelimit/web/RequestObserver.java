package dev.ratelimit.web;

import java.util.Collection;
import java.util.function.BiPredicate;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.Rule;

/**
 * Internal: observes HTTP requests on their way through the gate. Each method does
 * nothing by default. Thread-safe.
 */
public interface RequestObserver {

	/** Observes nothing. */
	RequestObserver NONE = new RequestObserver() {
	};

	/**
	 * The watch of a rule. It is looked up when the rule is compiled, not per request.
	 * @param rule the rule
	 * @return its watch
	 */
	default RuleObservations watch(Rule rule) {
		return RuleObservations.NONE;
	}

	/**
	 * An edition becomes active.
	 * @param watches the {@linkplain #watch watches} of all its rules
	 */
	default void use(Collection<RuleObservations> watches) {
	}

	/**
	 * A request arrives that all rules count.
	 * @param request the request
	 */
	default void arrived(GateRequest request) {
	}

	/**
	 * A request arrives that not all rules count.
	 * @param entry how it enters
	 * @param progress how far it has come
	 * @return the progress, with an ending if the end of the request is observed
	 */
	default RequestProgress arrived(Entry entry, RequestProgress progress) {
		return progress;
	}

	/**
	 * Whether the principal of a request that no rule counts is observed.
	 * @param entry how the request has entered
	 * @return whether {@link #authenticated} needs to be called
	 */
	default boolean observesPrincipal(Entry entry) {
		return false;
	}

	/**
	 * A request that not all rules count is behind the authentication.
	 * @param entry how it has entered
	 * @param request the request
	 */
	default void authenticated(Entry entry, GateRequest request) {
	}

	/**
	 * The path of a request has changed since a filter has seen it.
	 */
	default void rewritten() {
	}

	/**
	 * A request passes, and nothing of this phase is written to its response yet.
	 * @param <R> the type of responses
	 * @param progress how far the request has come before
	 * @param response the response
	 * @param hasHeader whether a response has a header
	 */
	default <R> void responding(RequestProgress progress, R response, BiPredicate<R, String> hasHeader) {
	}

	/**
	 * A request is rejected.
	 * @param request the request
	 * @param readable whether the response allows pages of other origins to read it
	 */
	default void rejected(GateRequest request, boolean readable) {
	}

}
