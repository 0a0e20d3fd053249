package dev.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;

import reactor.core.publisher.Mono;

/**
 * Decisions for code that waits for its turn.
 *
 * @param lines where it waits
 */
record WaitingCalls(Lines lines) {

	/** What the store may take on top. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	/** No wait is longer, so that none is for ever. */
	private static final Duration LONGEST = Duration.ofHours(1);

	/**
	 * Wait without a thread.
	 * @param applied the rules
	 * @param maxWait how long to wait at most
	 * @param threads passes decisions on to subscribers
	 * @return the decision; who cancels leaves the line
	 */
	Mono<Decision> mono(List<AppliedRule> applied, Duration maxWait, HandOver threads) {
		CompletableFuture<Ticket> ticket = enter(applied, maxWait);
		return threads.mono(decision(ticket)).doOnCancel(() -> ticket.thenAccept(Ticket::leave));
	}

	/**
	 * Wait on the calling thread.
	 * @param applied the rules
	 * @param maxWait how long to wait at most
	 * @return the decision
	 */
	Decision await(List<AppliedRule> applied, Duration maxWait) {
		CompletableFuture<Ticket> ticket = enter(applied, maxWait);
		try {
			return AwaitedDecision.await(decision(ticket), maxWait.plus(GRACE).toMillis());
		}
		finally {
			// Interrupted, for instance. Who has had its turn leaves nothing.
			ticket.thenAccept(Ticket::leave);
		}
	}

	private CompletableFuture<Ticket> enter(List<AppliedRule> applied, Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'maxWait' (" + maxWait + ") must be between 0 and 1 h");
		}
		return this.lines.enter(
				new LineRequest(applied, Optional.empty(), AppliedRule::subject, OptionalLong.of(maxWait.toNanos())));
	}

	private static CompletableFuture<Decision> decision(CompletableFuture<Ticket> ticket) {
		return ticket.thenCompose(Ticket::turn).thenApply(Turn::decision);
	}

}
