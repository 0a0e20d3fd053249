package dev.ratelimit.engine;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.store.CallbackThread;

/**
 * Internal: calls a listener of the application on a thread that nothing waits for: the
 * thread that decides may be the one on which all answers of the store arrive.
 */
public final class BackgroundListener implements DecisionListener {

	private final DecisionListener listener;

	private final CallbackThread thread;

	/**
	 * A listener behind a thread.
	 * @param listener the application's
	 * @param thread calls it
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
