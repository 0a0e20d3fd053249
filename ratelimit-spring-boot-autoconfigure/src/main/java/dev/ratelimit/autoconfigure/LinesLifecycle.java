package dev.ratelimit.autoconfigure;

import dev.ratelimit.engine.Lines;

import org.springframework.context.SmartLifecycle;

/**
 * Rejects the requests that wait when the application stops, before the web server waits
 * for its requests.
 */
final class LinesLifecycle implements SmartLifecycle {

	private final Lines lines;

	private volatile boolean running;

	LinesLifecycle(Lines lines) {
		this.lines = lines;
	}

	@Override
	public void start() {
		this.lines.open();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.lines.close();
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
