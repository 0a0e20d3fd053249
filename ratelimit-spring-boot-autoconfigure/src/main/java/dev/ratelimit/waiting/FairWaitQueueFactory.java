package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.store.Time;

/**
 * Creates the queues of an engine. Thread-safe.
 */
final class FairWaitQueueFactory implements WaitQueues.Factory {

	private final WaitSettings settings;

	private final List<Consumer<EndedWait>> followers = new CopyOnWriteArrayList<>();

	/**
	 * Create a factory.
	 * @param settings the settings of waiting requests
	 */
	FairWaitQueueFactory(WaitSettings settings) {
		this.settings = settings;
	}

	/**
	 * Add a follower of waits.
	 * @param follower receives the waits that end from now on; must not block
	 */
	void addFollower(Consumer<EndedWait> follower) {
		this.followers.add(follower);
	}

	@Override
	public boolean waits() {
		return this.settings.maxWaiting() > 0;
	}

	@Override
	public WaitQueues create(RuleEvaluation evaluation, Editions editions, Duration deadline, Time time) {
		return new FairWaitQueues(evaluation, editions, this.settings, this::ended, deadline, time);
	}

	private void ended(EndedWait wait) {
		this.followers.forEach((follower) -> follower.accept(wait));
	}

}
