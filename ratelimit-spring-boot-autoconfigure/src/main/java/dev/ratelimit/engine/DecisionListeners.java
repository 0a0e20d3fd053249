package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * All listeners of an engine. What a listener throws must not turn a decision into an
 * error. Immutable.
 *
 * @param listeners the listeners
 */
record DecisionListeners(List<DecisionListener> listeners) {

	private static final Log logger = LogFactory.getLog(DecisionListeners.class);

	DecisionListeners {
		listeners = List.copyOf(listeners);
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	void decided(Decision decision, long tookNanos) {
		for (DecisionListener listener : this.listeners) {
			try {
				listener.decided(decision, tookNanos);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	void planUnknown(String ruleId) {
		for (DecisionListener listener : this.listeners) {
			try {
				listener.planUnknown(ruleId);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	private static void failed(RuntimeException failure) {
		logger.error("A decision listener failed", failure);
	}

}
