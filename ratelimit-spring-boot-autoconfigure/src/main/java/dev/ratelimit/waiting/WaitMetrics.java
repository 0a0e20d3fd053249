package dev.ratelimit.waiting;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import dev.ratelimit.rule.EnumNames;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows requests that wait: {@code ratelimit.queue.waiting}, how many do, and
 * {@code ratelimit.queue.wait}, how long they waited, by rule and outcome. A timer is
 * registered with the first wait that ends so.
 */
final class WaitMetrics implements MeterBinder {

	private final FairWaitQueueFactory queues;

	private final IntSupplier waiting;

	private final Map<Ending, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Show queues.
	 * @param queues the queues
	 * @param waiting how many requests wait
	 */
	WaitMetrics(FairWaitQueueFactory queues, IntSupplier waiting) {
		this.queues = queues;
		this.waiting = waiting;
	}

	@Override
	public void bindTo(MeterRegistry meters) {
		this.queues.addFollower((wait) -> ended(wait, meters));
		Gauge.builder("ratelimit.queue.waiting", this.waiting, IntSupplier::getAsInt)
			.description("Requests that wait for their turn")
			.register(meters);
	}

	private void ended(EndedWait wait, MeterRegistry meters) {
		this.timers.computeIfAbsent(new Ending(wait.rule(), wait.end()), (ending) -> timer(ending, meters))
			.record(wait.nanos(), TimeUnit.NANOSECONDS);
	}

	private static Timer timer(Ending ending, MeterRegistry meters) {
		return Timer.builder("ratelimit.queue.wait")
			.description("Time that requests waited for their turn")
			.tag("rule", ending.rule)
			.tag("outcome", EnumNames.of(ending.end).replace('-', '_'))
			.register(meters);
	}

	private record Ending(String rule, EndedWait.End end) {
	}

}
