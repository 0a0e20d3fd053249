package dev.ratelimit.web;

import java.util.Collection;
import java.util.function.BiPredicate;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.Rule;

/**
 * Internal: observes HTTP requests in the gate. By default, the methods have no effect.
 * Thread-safe.
 */
public interface RequestObserver {

	/** An observer without effect. */
	RequestObserver NONE = new RequestObserver() {
	};

	/**
	 * Return the observations of a rule. Called when the rule is compiled, not for each
	 * request.
	 * @param rule the rule
	 * @return its observations
	 */
	default RuleObservations watch(Rule rule) {
		return RuleObservations.NONE;
	}

	/**
	 * Called when an edition becomes active.
	 * @param watches the {@linkplain #watch observations} of all its rules
	 */
	default void use(Collection<RuleObservations> watches) {
	}

	/**
	 * Called when a request arrives that all rules count.
	 * @param request the request
	 */
	default void arrived(GateRequest request) {
	}

	/**
	 * Called when a request arrives that not all rules count.
	 * @param entry the kind of the request
	 * @param progress the progress of the request
	 * @return the progress, with an ending if the end of the request is observed
	 */
	default RequestProgress arrived(Entry entry, RequestProgress progress) {
		return progress;
	}

	/**
	 * Whether the principal of a request that no rule counts is observed.
	 * @param entry the kind of the request
	 * @return whether {@link #authenticated} needs to be called
	 */
	default boolean observesPrincipal(Entry entry) {
		return false;
	}

	/**
	 * Called after the authentication of a request that not all rules count.
	 * @param entry the kind of the request
	 * @param request the request
	 */
	default void authenticated(Entry entry, GateRequest request) {
	}

	/**
	 * Called when the path of a request was changed after a filter evaluated it.
	 */
	default void rewritten() {
	}

	/**
	 * Called when a request is allowed, before this phase writes to the response.
	 * @param <R> the type of responses
	 * @param progress the progress of the request before this phase
	 * @param response the response
	 * @param hasHeader whether a response has a header
	 */
	default <R> void responding(RequestProgress progress, R response, BiPredicate<R, String> hasHeader) {
	}

	/**
	 * Called when a request is rejected.
	 * @param request the request
	 * @param readable whether the response allows pages of other origins to read it
	 */
	default void rejected(GateRequest request, boolean readable) {
	}

}
