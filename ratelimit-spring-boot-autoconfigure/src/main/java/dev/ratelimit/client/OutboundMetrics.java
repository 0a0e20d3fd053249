package dev.ratelimit.client;

import java.time.Duration;

import dev.ratelimit.Decision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the application's own requests that charge a quota, as
 * {@code ratelimit.outbound} by rule and outcome: {@code allowed}, {@code rejected}, and
 * {@code paused} for responses that paused the rule. Thread-safe.
 */
final class OutboundMetrics implements QuotaListener {

	private final MeterRegistry registry;

	/**
	 * Count into a registry.
	 * @param registry the registry
	 */
	OutboundMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void decided(Quota quota, Decision decision) {
		count(quota, (decision.allowed()) ? "allowed" : "rejected");
	}

	@Override
	public void paused(Quota quota, Duration pause) {
		count(quota, "paused");
	}

	// The registry keeps one of few, by the quotas of the application.
	private void count(Quota quota, String outcome) {
		Counter.builder("ratelimit.outbound")
			.description("Requests of the application's HTTP clients that charge a quota")
			.tag("rule", quota.rule())
			.tag("outcome", outcome)
			.register(this.registry)
			.increment();
	}

}
