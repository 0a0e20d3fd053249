package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.guard.StoreHealth;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Waits for the rest of the warm-up before the web server accepts connections.
 */
final class WarmUpLifecycle implements SmartLifecycle {

	private final RedisStore store;

	private final RuleSelfTest selfTest;

	private final Duration longest;

	private volatile boolean running;

	WarmUpLifecycle(RedisStore store, RuleSelfTest selfTest, Duration longest) {
		this.store = store;
		this.selfTest = selfTest;
		this.longest = longest;
	}

	@Override
	public void start() {
		this.running = true;
		// Redis may have become available after the start of the store.
		if (this.store.warmUp().isEmpty() && this.store.status().health() == StoreHealth.UP) {
			this.store.startWarmUp();
		}
		this.store.warmUp()
			.map((warmUp) -> CompletableFuture.allOf(warmUp.ended(), this.selfTest.firstRound()))
			.ifPresent((ended) -> ended.completeOnTimeout(null, this.longest.toNanos(), TimeUnit.NANOSECONDS).join());
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
	}

}
