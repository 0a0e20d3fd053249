package dev.ratelimit.telemetry;

import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.engine.Editions;

/**
 * Passes a sample of the decisions to the sinks. Does not block: if the queue is full,
 * events are dropped and counted. Thread-safe.
 */
final class DecisionEvents implements DecisionObserver {

	private final EventSample sample;

	private final EventPump pump;

	private final Editions editions;

	private final InstantSource clock;

	private final LongSupplier time;

	/**
	 * Create an observer.
	 * @param sample selects the decisions that become events
	 * @param pump passes the events to the sinks
	 * @param editions the editions, which have the version of the rules
	 * @param clock the clock of decisions
	 * @param time the engine's clock, in nanoseconds
	 */
	DecisionEvents(EventSample sample, EventPump pump, Editions editions, InstantSource clock, LongSupplier time) {
		this.sample = sample;
		this.pump = pump;
		this.editions = editions;
		this.clock = clock;
		this.time = time;
	}

	@Override
	public boolean observesAllowed() {
		return this.sample.includesAllowed();
	}

	@Override
	public void decided(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
		if (!this.sample.includes(decision.allowed()) || isPeek(uses)) {
			return;
		}
		if (!this.sample.tryCount(startNanos)) {
			this.pump.counts().addAboveRate();
			return;
		}
		this.pump.offer(new SampledDecision(this.clock.instant(), this.editions.current().rules().version(), uses,
				decision, this.time.getAsLong() - startNanos, this.sample.weight(decision.allowed())));
	}

	private static boolean isPeek(List<AppliedRule> uses) {
		for (int i = 0; i < uses.size(); i++) {
			if (uses.get(i).cost() > 0) {
				return false;
			}
		}
		return !uses.isEmpty();
	}

}
