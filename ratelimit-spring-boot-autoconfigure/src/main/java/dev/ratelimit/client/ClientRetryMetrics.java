package dev.ratelimit.client;

import java.time.Duration;
import java.util.Locale;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of requests that servers reject: {@code ratelimit.client.retries} by status,
 * {@code ratelimit.client.rejections}, the rejections that the application received, by
 * reason, and {@code ratelimit.client.wait} by cause. No tag contains a host, since the
 * number of hosts is not bounded.
 */
final class ClientRetryMetrics implements RetryListener {

	private final MeterRegistry registry;

	private final Counter[] rejections = new Counter[Reason.values().length];

	private final Timer retrying;

	private final Timer throttled;

	/**
	 * Count into a registry.
	 * @param registry the registry
	 */
	ClientRetryMetrics(MeterRegistry registry) {
		this.registry = registry;
		for (Reason reason : Reason.values()) {
			this.rejections[reason.ordinal()] = rejection(reason);
		}
		this.retrying = timer("retry");
		this.throttled = timer("throttle");
	}

	@Override
	public void retrying(int status, Duration wait) {
		// One of few, by the settings.
		Counter.builder("ratelimit.client.retries")
			.description("Retries of rejected requests")
			.tag("status", Integer.toString(status))
			.register(this.registry)
			.increment();
		this.retrying.record(wait);
	}

	@Override
	public void throttled(Duration wait) {
		this.throttled.record(wait);
	}

	@Override
	public void gaveUp(Reason reason) {
		this.rejections[reason.ordinal()].increment();
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

}
