package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.Time;

/**
 * Internal: the seam of waiting. Requests wait here if every rule that rejects them has
 * {@code wait}. Thread-safe.
 */
public interface WaitQueues {

	/**
	 * Charge a request, or let it wait. If others wait for one of its buckets, it joins
	 * them without an attempt, so that it does not overtake them.
	 * @param request the request
	 * @return its ticket, once it is allowed, rejected, or waits
	 */
	CompletableFuture<Ticket> enter(WaitRequest request);

	/**
	 * The queue for a bucket of a rule.
	 * @param rule the rule, applied to a request
	 * @param flow the flow of the request
	 * @return the longest of the rule's queues; empty if no request waits
	 */
	Optional<WaitState> find(AppliedRule rule, String flow);

	/**
	 * The number of requests that wait now.
	 * @return the number
	 */
	int waiting();

	/** Let requests wait again, after {@link #close}. */
	void open();

	/** Reject all that wait, and that come from now on: the instance shuts down. */
	void close();

	/**
	 * Makes the queues of an engine.
	 */
	interface Factory {

		/** No request waits: each is charged or rejected at once. */
		Factory NONE = new Factory() {

			@Override
			public boolean waits() {
				return false;
			}

			@Override
			public WaitQueues create(RuleEvaluation evaluation, Editions editions, Duration deadline, Time time) {
				return new NoQueues(evaluation, deadline);
			}

		};

		/**
		 * Whether requests can wait at all.
		 * @return whether there is room for any
		 */
		boolean waits();

		/**
		 * The queues.
		 * @param evaluation evaluates rules
		 * @param editions the editions of the rules
		 * @param deadline the longest wait for the store, for each attempt
		 * @param time the clock that the store reads, too
		 * @return the queues
		 */
		WaitQueues create(RuleEvaluation evaluation, Editions editions, Duration deadline, Time time);

	}

}
