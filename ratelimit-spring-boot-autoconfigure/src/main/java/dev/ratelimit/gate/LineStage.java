package dev.ratelimit.gate;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.LineRequest;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.engine.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Charges calls under rules that let them wait. Observers are told once, at the end of
 * the wait. Thread-safe.
 *
 * @param <C> the calls of a front
 * @param engine the engine
 * @param partitionKeys tells subjects apart in header fields
 * @param observer is told what is seen
 */
record LineStage<C extends Call>(RateLimitEngine engine, PartitionKeys partitionKeys, PassageObserver observer) {

	static <C extends Call> @Nullable LineStage<C> of(RateLimitEngine engine, PartitionKeys partitionKeys,
			PassageObserver observer) {
		return (engine.waits()) ? new LineStage<>(engine, partitionKeys, observer) : null;
	}

	CompletableFuture<RequestProgress> enter(List<? extends RuleMatch<C>> matches, List<AppliedRule> applied,
			Optional<RetryKey> retry, C call, RequestProgress sofar, Strikes strikes) {
		ObservedPassage passage = this.observer.enter(call, sofar);
		long startNanos = this.engine.nanos();
		LineRequest request = new LineRequest(applied, retry, (rule) -> flow(matches, rule, call), OptionalLong.empty(),
				call.waitingPlaces());
		return this.engine.queues().enter(request).thenApply((ticket) -> {
			long tookNanos = this.engine.nanos() - startNanos;
			CompletableFuture<RequestProgress> next = ticket.turn()
				.whenComplete((turn, failure) -> tell(passage, turn))
				.thenApply((turn) -> decided(turn, tookNanos, sofar, strikes));
			if (next.isDone() && !next.isCompletedExceptionally()) {
				return next.join();
			}
			// What waits holds no seat.
			sofar.endings().streams();
			return sofar.waiting(new Hold.Line(ticket, next));
		});
	}

	// A call that has left its line was not decided.
	private static void tell(ObservedPassage passage, @Nullable Turn turn) {
		passage.decided((turn != null) ? turn.decision() : Decision.UNMATCHED);
	}

	// The wait is no wait for the store.
	private RequestProgress decided(Turn turn, long tookNanos, RequestProgress sofar, Strikes strikes) {
		Decision decision = turn.decision();
		strikes.decided(decision);
		return sofar
			.decided(decision, tookNanos, Completion.of(decision, turn.applied()),
					Hold.of(decision, turn.applied(), this.engine::nanos))
			.ending(Completion.counting(decision, strikes))
			.partitioned(this.partitionKeys.of(turn.applied()));
	}

	private static <C extends Call> String flow(List<? extends RuleMatch<C>> matches, AppliedRule rule, C call) {
		for (RuleMatch<C> match : matches) {
			if (match.rule().id().equals(rule.id())) {
				return match.rule().flow(call, match, rule.subject());
			}
		}
		return rule.subject();
	}

}
