package dev.ratelimit.waiting;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.EnumNames;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Provides meters of waiting requests: {@code ratelimit.queue.waiting}, their number, and
 * {@code ratelimit.queue.wait}, the duration of waits by rule and outcome. A timer is
 * registered when the first wait of its rule ends with its outcome.
 */
final class WaitMetrics implements MeterBinder {

	private final FairWaitQueueFactory queues;

	private final IntSupplier waiting;

	private final Editions editions;

	private final Map<Ending, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Create the meters of queues.
	 * @param queues the queues
	 * @param waiting supplies the number of waiting requests
	 * @param editions the active rules; the timers of other rules are removed
	 */
	WaitMetrics(FairWaitQueueFactory queues, IntSupplier waiting, Editions editions) {
		this.queues = queues;
		this.waiting = waiting;
		this.editions = editions;
	}

	@Override
	public void bindTo(MeterRegistry meters) {
		this.queues.addFollower((wait) -> ended(wait, meters));
		this.editions.addListener((edition) -> retain(edition.rules().rules().keySet(), meters));
		Gauge.builder("ratelimit.queue.waiting", this.waiting, IntSupplier::getAsInt)
			.description("Requests that wait for their turn")
			.register(meters);
	}

	private void ended(EndedWait wait, MeterRegistry meters) {
		this.timers.computeIfAbsent(new Ending(wait.rule(), wait.end()), (ending) -> timer(ending, meters))
			.record(wait.nanos(), TimeUnit.NANOSECONDS);
	}

	private void retain(Set<String> rules, MeterRegistry meters) {
		this.timers.forEach((ending, timer) -> {
			if (!rules.contains(ending.rule) && this.timers.remove(ending, timer)) {
				meters.remove(timer);
			}
		});
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
