package dev.ratelimit.client;

import java.time.Duration;
import java.util.Locale;

import dev.ratelimit.Decision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Counts the requests of the application's HTTP clients: {@code ratelimit.outbound} by
 * rule and outcome ({@code allowed}, {@code rejected}, and {@code paused} for responses
 * that paused the rule), {@code ratelimit.client.retries} by status,
 * {@code ratelimit.client.rejections} that were returned to the application by reason,
 * and {@code ratelimit.client.wait} by cause. No tag names a host. Thread-safe.
 */
final class OutboundMetrics implements OutboundListener {

	private final MeterRegistry registry;

	/**
	 * Create the meters in a registry.
	 * @param registry the registry, which receives a bounded number of meters
	 * @param retries whether clients retry, so that the meters of retries start at 0
	 */
	OutboundMetrics(MeterRegistry registry, boolean retries) {
		this.registry = registry;
		if (retries) {
			for (Reason reason : Reason.values()) {
				rejection(reason);
			}
			timer("retry");
			timer("throttle");
		}
	}

	@Override
	public void retrying(int status, Duration wait) {
		Counter.builder("ratelimit.client.retries")
			.description("Retries of rejected requests")
			.tag("status", Integer.toString(status))
			.register(this.registry)
			.increment();
		timer("retry").record(wait);
	}

	@Override
	public void throttled(Duration wait) {
		timer("throttle").record(wait);
	}

	@Override
	public void gaveUp(Reason reason) {
		rejection(reason).increment();
	}

	private Counter rejection(Reason reason) {
		return Counter.builder("ratelimit.client.rejections")
			.description("Rejections returned to the application")
			.tag("reason", reason.name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	private Timer timer(String cause) {
		return Timer.builder("ratelimit.client.wait")
			.description("Time that requests wait before they are sent or retried")
			.tag("cause", cause)
			.register(this.registry);
	}

	@Override
	public void decided(Quota quota, Decision decision) {
		count(quota, (decision.allowed()) ? "allowed" : "rejected");
	}

	@Override
	public void paused(Quota quota, Duration pause) {
		count(quota, "paused");
	}

	private void count(Quota quota, String outcome) {
		Counter.builder("ratelimit.outbound")
			.description("Requests of the application's HTTP clients that charge a quota")
			.tag("rule", quota.rule())
			.tag("outcome", outcome)
			.register(this.registry)
			.increment();
	}

}
