package dev.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import reactor.core.publisher.Mono;

/**
 * Decisions for code that waits for its turn.
 *
 * @param queues the queues of requests that wait
 */
record WaitingCalls(WaitQueues queues) {

	/** No wait is longer, so that none is for ever. */
	private static final Duration LONGEST = Duration.ofHours(1);

	/**
	 * Begin to wait.
	 * @param applied the rules
	 * @param maxWait how long to wait at most
	 * @param compared compares the decision with that of a candidate
	 * @return the call
	 */
	Entered enter(List<AppliedRule> applied, Duration maxWait, UnaryOperator<CompletableFuture<Decision>> compared) {
		if (maxWait.isNegative() || maxWait.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'maxWait' (" + maxWait + ") must be between 0 and 1 h");
		}
		CompletableFuture<Ticket> ticket = this.queues.enter(new LineRequest(applied, Optional.empty(),
				AppliedRule::subject, OptionalLong.of(maxWait.toNanos()), Optional.empty()));
		return new Entered(ticket, compared.apply(ticket.thenCompose(Ticket::turn).thenApply(Turn::decision)));
	}

	/**
	 * A call that has begun to wait.
	 *
	 * @param ticket its ticket
	 * @param decision the decision
	 */
	record Entered(CompletableFuture<Ticket> ticket, CompletableFuture<Decision> decision) {

		/**
		 * Wait without a thread.
		 * @param threads passes decisions on to subscribers
		 * @return the decision; who cancels leaves the line
		 */
		Mono<Decision> mono(HandOver threads) {
			return threads.mono(this.decision).doOnCancel(() -> this.ticket.thenAccept(Ticket::leave));
		}

		/**
		 * Wait on the calling thread.
		 * @param maxWait how long to wait at most
		 * @return the decision
		 */
		Decision await(Duration maxWait) {
			try {
				return AwaitedDecision.await(this.decision, maxWait);
			}
			finally {
				// Interrupted, for instance. Who has had its turn leaves nothing.
				this.ticket.thenAccept(Ticket::leave);
			}
		}

	}

}
