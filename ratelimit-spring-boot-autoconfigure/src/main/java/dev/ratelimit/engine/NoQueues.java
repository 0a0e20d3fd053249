package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Queues of an application without waiting: each request is charged or rejected at once.
 *
 * @param evaluation evaluates rules
 * @param deadline the maximum wait for the store
 */
record NoQueues(RuleEvaluation evaluation, Duration deadline) implements WaitQueues {

	@Override
	public CompletableFuture<Ticket> enter(WaitRequest request) {
		return this.evaluation.evaluate(request.applied(), request.retry(), this.deadline.toNanos())
			.thenApply((decision) -> new Decided(
					CompletableFuture.completedFuture(new WaitResult(decision, request.applied()))));
	}

	@Override
	public Optional<WaitState> find(AppliedRule rule, String flow) {
		return Optional.empty();
	}

	@Override
	public int waiting() {
		return 0;
	}

	@Override
	public void open() {
	}

	@Override
	public void close() {
	}

	/**
	 * A ticket of a request that did not wait.
	 */
	private record Decided(CompletableFuture<WaitResult> result) implements Ticket {

		@Override
		public void leave() {
		}

		@Override
		public long waitedNanos() {
			return 0;
		}

	}

}
