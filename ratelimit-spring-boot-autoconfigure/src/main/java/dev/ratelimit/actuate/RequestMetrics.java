package dev.ratelimit.actuate;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.engine.RequestTally;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: the meter {@code ratelimit.requests}, which counts each request once, by
 * outcome and status.
 *
 * @param requests the counts
 */
record RequestMetrics(RequestTally requests) implements MeterBinder {

	/**
	 * The statuses that the limiter sends by default. Other statuses are counted
	 * together.
	 */
	private static final List<Integer> STATUSES = List.of(403, 429, 503);

	@Override
	public void bindTo(MeterRegistry registry) {
		count(registry, "allowed", "none", RequestTally::allowed);
		for (Integer status : STATUSES) {
			count(registry, "rejected", status.toString(), (tally) -> tally.rejected().getOrDefault(status, 0L));
		}
		count(registry, "rejected", "other", RequestMetrics::rejectedOtherwise);
	}

	private void count(MeterRegistry registry, String outcome, String status, ToDoubleFunction<RequestTally> count) {
		FunctionCounter.builder("ratelimit.requests", this.requests, count)
			.description("HTTP requests that a rule applied to, by outcome")
			.tag("outcome", outcome)
			.tag("status", status)
			.register(registry);
	}

	private static double rejectedOtherwise(RequestTally tally) {
		return tally.rejected()
			.entrySet()
			.stream()
			.filter((counted) -> !STATUSES.contains(counted.getKey()))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

}
