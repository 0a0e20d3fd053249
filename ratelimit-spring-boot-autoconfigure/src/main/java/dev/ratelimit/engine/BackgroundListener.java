package dev.ratelimit.engine;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.store.CallbackThread;

/**
 * Internal: calls a listener of the application on a separate thread, because the
 * deciding thread may be the one that receives all responses of the store.
 */
public final class BackgroundListener implements DecisionListener {

	private final DecisionListener listener;

	private final CallbackThread thread;

	/**
	 * Create a listener that is called on a separate thread.
	 * @param listener the listener of the application
	 * @param thread the thread that calls the listener
	 */
	public BackgroundListener(DecisionListener listener, CallbackThread thread) {
		this.listener = listener;
		this.thread = thread;
	}

	@Override
	public void decided(Decision decision, long tookNanos) {
		this.thread.execute(() -> this.listener.decided(decision, tookNanos));
	}

	@Override
	public void planUnknown(String ruleId) {
		this.thread.execute(() -> this.listener.planUnknown(ruleId));
	}

}
