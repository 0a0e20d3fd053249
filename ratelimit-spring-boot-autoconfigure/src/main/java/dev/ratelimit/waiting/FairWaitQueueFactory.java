package dev.ratelimit.waiting;

import java.time.Duration;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.store.Time;

/**
 * Makes the queues of an engine.
 *
 * @param settings how requests wait
 */
record FairWaitQueueFactory(WaitSettings settings) implements WaitQueues.Factory {

	@Override
	public boolean waits() {
		return this.settings.maxWaiting() > 0;
	}

	@Override
	public WaitQueues create(RuleEvaluation evaluation, Editions editions, Duration deadline, Time time) {
		return new FairWaitQueues(evaluation, editions, this.settings, deadline, time);
	}

}
