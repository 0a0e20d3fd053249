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
 * Internal: the reason why a request is held before it continues. Immutable.
 */
public sealed interface Hold {

	/** No hold. */
	Hold NONE = new None();

	/**
	 * A hold that begins now.
	 * @param decision determines the duration of the hold
	 * @param applied the rules of the decision
	 * @param clock the clock
	 * @return the hold
	 */
	static Hold of(Decision decision, List<AppliedRule> applied, LongSupplier clock) {
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
	 * Return the time for which the request is still to be held.
	 * @return nanoseconds; 0 if the request may continue, or if the time is unknown
	 */
	default long leftNanos() {
		return 0;
	}

	/**
	 * The flow to which the request belongs while it is held.
	 * @return the subject whose limit holds it; empty if no limit does
	 */
	default String flow() {
		return "";
	}

	/** Abandon the request. */
	default void abandon() {
	}

	private Hold orLater(Hold other) {
		if (!(this instanceof Until until) || !(other instanceof Until later)) {
			return (this instanceof Until) ? this : other;
		}
		return (later.untilNanos - until.untilNanos > 0) ? other : this;
	}

	/**
	 * Return the longer of two holds of a request.
	 * @param one the hold of one
	 * @param other the hold of the other
	 * @return the hold that lasts longer
	 */
	static Hold later(Hold one, Hold other) {
		return one.orLater(other);
	}

	/**
	 * No hold.
	 */
	record None() implements Hold {
	}

	/**
	 * An allowed request is held for some time, such as by a leaky bucket, once all
	 * phases have decided.
	 *
	 * @param untilNanos the end of the hold, by the clock
	 * @param clock the clock, in nanoseconds
	 * @param flow the subject whose limit holds it
	 */
	record Until(long untilNanos, LongSupplier clock, String flow) implements Hold {

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
	record Queued(Ticket ticket, CompletableFuture<?> next) implements Hold {

		@Override
		public void abandon() {
			this.ticket.leave();
		}

	}

}
