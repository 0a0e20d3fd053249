package dev.ratelimit.autoconfigure;

import org.springframework.context.SmartLifecycle;

/**
 * Internal: ends the requests that wait in queues or tarpits when the application stops,
 * before the web server waits for its requests.
 */
public final class HeldRequestsLifecycle implements SmartLifecycle {

	private final Runnable open;

	private final Runnable close;

	private volatile boolean running;

	public HeldRequestsLifecycle(Runnable open, Runnable close) {
		this.open = open;
		this.close = close;
	}

	@Override
	public void start() {
		this.open.run();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.close.run();
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
