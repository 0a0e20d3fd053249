package dev.ratelimit.gate;

import java.util.function.Consumer;

import dev.ratelimit.Decision;

/**
 * Internal: observes the decisions of a gate from their begin to their end, as tracing
 * does. Thread-safe.
 */
@FunctionalInterface
public interface PassageObserver {

	/** The phase of calls of beans' methods, which no authentication divides. */
	String METHOD = "method";

	/** The phase of calls of Envoy. */
	String ENVOY = "envoy";

	/** The phase of GraphQL operations. */
	String GRAPHQL = "graphql";

	/** Observes nothing. */
	PassageObserver NONE = (phase, call, progress) -> (decision) -> {
	};

	/**
	 * Called when a decision begins.
	 * @param phase {@code early}, {@code late}, {@link #METHOD}, {@link #ENVOY}, or
	 * {@link #GRAPHQL}
	 * @param call the call
	 * @param progress the progress of the call before the decision
	 * @return receives the decision of this phase once
	 */
	Consumer<Decision> enter(String phase, Call call, RequestProgress progress);

}
