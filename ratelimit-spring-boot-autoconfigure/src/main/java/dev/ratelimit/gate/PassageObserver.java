package dev.ratelimit.gate;

import java.util.function.Consumer;

import dev.ratelimit.Decision;

/**
 * Internal: observes the decisions of a gate from their beginning to their end, for
 * example for tracing. Thread-safe.
 */
@FunctionalInterface
public interface PassageObserver {

	/** The phase of calls of bean methods, which have no early and late phase. */
	String METHOD = "method";

	/** The phase of calls of Envoy. */
	String ENVOY = "envoy";

	/** The phase of GraphQL operations. */
	String GRAPHQL = "graphql";

	/** An observer without effect. */
	PassageObserver NONE = (phase, call, progress) -> (decision) -> {
	};

	/**
	 * Called when a decision begins.
	 * @param phase {@code early}, {@code late}, {@link #METHOD}, {@link #ENVOY}, or
	 * {@link #GRAPHQL}
	 * @param call the call
	 * @param progress the progress of the call before the decision
	 * @return a consumer that receives the decision of this phase once
	 */
	Consumer<Decision> enter(String phase, Call call, RequestProgress progress);

}
