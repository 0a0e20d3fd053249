package dev.ratelimit.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Mono;

/**
 * A clock that advances only when code waits, and records the waits.
 */
class ManualTime implements RetryTime {

	private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000);

	private final long startNanos = this.nanos.get();

	private final List<Duration> waits = new CopyOnWriteArrayList<>();

	List<Duration> waits() {
		return this.waits;
	}

	void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Override
	public Instant now() {
		return START.plusNanos(this.nanos.get() - this.startNanos);
	}

	@Override
	public long nanoTime() {
		return this.nanos.get();
	}

	@Override
	public void sleep(Duration wait) throws InterruptedException {
		this.waits.add(wait);
		pass(wait);
	}

	@Override
	public Mono<Void> delay(Duration wait) {
		return Mono.fromRunnable(() -> {
			this.waits.add(wait);
			pass(wait);
		});
	}

}
