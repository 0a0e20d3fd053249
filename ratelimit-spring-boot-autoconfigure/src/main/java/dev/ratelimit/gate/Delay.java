package dev.ratelimit.gate;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.Ticket;

/**
 * Internal: the delay of a request before it continues. Immutable.
 */
public sealed interface Delay {

	/** No delay. */
	Delay NONE = new None();

	/**
	 * A delay that begins now.
	 * @param decision determines the duration of the delay
	 * @param applied the rules of the decision
	 * @param clock the clock
	 * @return the delay
	 */
	static Delay of(Decision decision, List<AppliedRule> applied, LongSupplier clock) {
		long delayMillis = decision.delayMillis();
		return (delayMillis == 0) ? NONE : new Until(clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(delayMillis),
				clock, flow(decision, delayMillis, applied));
	}

	private static String flow(Decision decision, long delayMillis, List<AppliedRule> applied) {
		for (Verdict verdict : decision.verdicts()) {
			for (AppliedRule rule : applied) {
				if (verdict.delayMillis() == delayMillis && rule.id().equals(verdict.policy().ruleId())) {
					return rule.subject();
				}
			}
		}
		return "";
	}

	/**
	 * Return the time for which the request must still be delayed.
	 * @return nanoseconds; 0 if the request may continue, or if the time is unknown
	 */
	default long leftNanos() {
		return 0;
	}

	/**
	 * The flow to which the request belongs while it is delayed.
	 * @return the subject whose limit delays it; empty if no limit does
	 */
	default String flow() {
		return "";
	}

	/** Abandon the request. */
	default void abandon() {
	}

	private Delay orLater(Delay other) {
		if (!(this instanceof Until until) || !(other instanceof Until later)) {
			return (this instanceof Until) ? this : other;
		}
		return (later.untilNanos - until.untilNanos > 0) ? other : this;
	}

	/**
	 * Return the longer of two delays of a request.
	 * @param one a delay
	 * @param other another delay
	 * @return the delay that lasts longer
	 */
	static Delay later(Delay one, Delay other) {
		return one.orLater(other);
	}

	/**
	 * No delay.
	 */
	record None() implements Delay {
	}

	/**
	 * An allowed request is delayed for some time, such as by a leaky bucket, once all
	 * phases have decided.
	 *
	 * @param untilNanos the end of the delay, by the clock
	 * @param clock the clock, in nanoseconds
	 * @param flow the subject whose limit delays it
	 */
	record Until(long untilNanos, LongSupplier clock, String flow) implements Delay {

		@Override
		public long leftNanos() {
			return Math.max(0, this.untilNanos - this.clock.getAsLong());
		}

	}

	/**
	 * The request waits for its turn in a queue. The decision of this phase follows at
	 * its turn, before the next phase.
	 *
	 * @param ticket its place in the queue
	 * @param next the progress of the call after the wait
	 */
	record Queued(Ticket ticket, CompletableFuture<?> next) implements Delay {

		@Override
		public void abandon() {
			this.ticket.leave();
		}

	}

}
