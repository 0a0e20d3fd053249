package dev.ratelimit;

import java.util.List;

/**
 * Receives a sample of the decisions, for example to write them to a log or to a message
 * broker. Define one as a bean. It is called on a separate thread, with one batch at a
 * time. While it blocks, events are dropped, but no request waits. If it throws an
 * exception, the events of the batch count as dropped.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DecisionEventSink {

	/**
	 * Called with the next events.
	 * @param events the events in the order of the decisions, at least one
	 */
	void accept(List<RateLimitDecisionEvent> events);

}
