package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.rejection.Tarpits;

import org.springframework.context.SmartLifecycle;

/**
 * Sends delayed rejections when the application stops, before the web server waits for
 * its requests.
 */
final class TarpitsLifecycle implements SmartLifecycle {

	private final Tarpits tarpits;

	private volatile boolean running;

	TarpitsLifecycle(Tarpits tarpits) {
		this.tarpits = tarpits;
	}

	@Override
	public void start() {
		this.tarpits.start();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.tarpits.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	// The highest phase stops first.
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

}
