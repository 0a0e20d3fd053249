package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.Time;

/**
 * Internal: the interface to the queues. Requests wait in the queues if every rule that
 * rejects them has {@code wait}. Thread-safe.
 */
public interface WaitQueues {

	/**
	 * Charge a request, or let it wait. If other requests wait for one of its buckets, it
	 * joins them without an attempt, so that it does not overtake them.
	 * @param request the request
	 * @return its ticket, completed when the request is allowed, rejected, or queued
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
	 * Return the number of waiting requests.
	 * @return the number
	 */
	int waiting();

	/** Let requests wait again, after {@link #close}. */
	void open();

	/** Reject all waiting and later requests, because the instance shuts down. */
	void close();

	/**
	 * Creates the queues of an engine.
	 */
	interface Factory {

		/** No queues: each request is charged or rejected at once. */
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
		 * Whether requests can wait.
		 * @return whether there are queues
		 */
		boolean waits();

		/**
		 * Create the queues.
		 * @param evaluation evaluates rules
		 * @param editions the editions of the rules
		 * @param deadline the maximum wait for the store, for each attempt
		 * @param time the clock that the store also reads
		 * @return the queues
		 */
		WaitQueues create(RuleEvaluation evaluation, Editions editions, Duration deadline, Time time);

	}

}
