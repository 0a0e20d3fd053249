package dev.ratelimit.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import reactor.core.publisher.Mono;

/**
 * The clocks of this machine.
 */
enum SystemTime implements RetryTime {

	INSTANCE;

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public void sleep(Duration wait) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(wait.toNanos());
	}

	@Override
	public Mono<Void> delay(Duration wait) {
		return Mono.delay(wait).then();
	}

}
