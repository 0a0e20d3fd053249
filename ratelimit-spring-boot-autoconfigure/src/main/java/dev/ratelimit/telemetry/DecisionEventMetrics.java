package dev.ratelimit.telemetry;

import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of decision events: {@code ratelimit.events.sent}, and
 * {@code ratelimit.events.dropped} by {@code reason}.
 */
final class DecisionEventMetrics implements MeterBinder {

	private final EventCounts counts;

	/**
	 * Create the meters of counts.
	 * @param counts the counts
	 */
	DecisionEventMetrics(EventCounts counts) {
		this.counts = counts;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter.builder("ratelimit.events.sent", this.counts, EventCounts::sent)
			.description("Decision events that all sinks received")
			.register(registry);
		dropped(registry, "rate", EventCounts::aboveRate);
		dropped(registry, "full", EventCounts::full);
		dropped(registry, "failed", EventCounts::failed);
	}

	private void dropped(MeterRegistry registry, String reason, ToDoubleFunction<EventCounts> count) {
		FunctionCounter.builder("ratelimit.events.dropped", this.counts, count)
			.description("Decision events that were dropped")
			.tag("reason", reason)
			.register(registry);
	}

}
