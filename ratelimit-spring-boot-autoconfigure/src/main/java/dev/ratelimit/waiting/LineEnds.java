package dev.ratelimit.waiting;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.Asked;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.Turn;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Counts those that wait, and ends waits. Not thread-safe: {@link Lines} holds its lock,
 * and afterwards runs what is to be done without it.
 */
final class LineEnds {

	private final RuleEvaluation evaluation;

	private final LineListener listener;

	private final Time time;

	private final Alarms<Runnable> alarms = new Alarms<>();

	private int waiting;

	LineEnds(RuleEvaluation evaluation, LineListener listener, Time time) {
		this.evaluation = evaluation;
		this.listener = listener;
		this.time = time;
	}

	Alarms<Runnable> alarms() {
		return this.alarms;
	}

	int waiting() {
		return this.waiting;
	}

	void enter(Waiter waiter, Line line, Holdup held, Runnable expired) {
		this.waiting++;
		waiter.enter(line, held, this.alarms.at(waiter.latestNanos(held), expired));
	}

	/**
	 * Take a waiter out of its line, if it is in one.
	 * @param waiter the request
	 */
	void exit(Waiter waiter) {
		if (waiter.isWaiting()) {
			this.waiting--;
		}
		waiter.exit(this.alarms);
	}

	/**
	 * End a wait, if there was one, with a decision.
	 * @param waiter the request
	 * @param held what it waited for last; null if it did not wait
	 * @param asked what the store said; null if it was not asked last
	 * @param decision the decision
	 * @param end how the wait ended
	 * @param after what to do without the lock
	 */
	void end(Waiter waiter, @Nullable Holdup held, @Nullable Asked asked, Decision decision, LineListener.End end,
			List<Runnable> after) {
		List<AppliedRule> applied = (asked != null) ? asked.applied() : waiter.request().applied();
		long startNanos = (asked != null) ? asked.startNanos() : this.time.nanos();
		leave(waiter, () -> {
			this.evaluation.tell(applied, decision, startNanos);
			if (held != null) {
				tell(held, end, waiter);
			}
			waiter.turn().complete(new Turn(decision, applied));
		}, after);
	}

	/**
	 * Nobody waits for a waiter any more.
	 * @param waiter the request
	 * @param after what to do without the lock
	 */
	void cancel(Waiter waiter, List<Runnable> after) {
		leave(waiter, () -> {
			waiter.held().ifPresent((held) -> tell(held, LineListener.End.CANCELED, waiter));
			waiter.turn().cancel(false);
		}, after);
	}

	/**
	 * Let a waiter go.
	 * @param waiter the request
	 * @param told tells it
	 * @param after what to do without the lock
	 */
	void leave(Waiter waiter, Runnable told, List<Runnable> after) {
		if (!waiter.isDone()) {
			exit(waiter);
			waiter.end(this.time.nanos());
			after.add(told);
		}
	}

	private void tell(Holdup held, LineListener.End end, Waiter waiter) {
		this.listener.waited(held.rule().rule().rule().id(), end, waiter.endedAfterNanos());
	}

}
