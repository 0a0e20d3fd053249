package dev.ratelimit.web.graphql;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.GateRequest;
import org.jspecify.annotations.Nullable;

/**
 * The state of an operation in its context, which the interceptor of web requests and the
 * provider of documents share.
 */
final class OperationState {

	/** The key in the context. */
	static final String KEY = OperationState.class.getName();

	private final GateRequest call;

	private volatile @Nullable RequestProgress progress;

	private volatile long jitterSeconds;

	OperationState(GateRequest call) {
		this.call = call;
	}

	GateRequest call() {
		return this.call;
	}

	/**
	 * Return the progress of the operation.
	 * @return its progress; null if it was not evaluated
	 */
	@Nullable RequestProgress progress() {
		return this.progress;
	}

	/**
	 * Return the time that is added to the waits in the response.
	 * @return the time in seconds
	 */
	long jitterSeconds() {
		return this.jitterSeconds;
	}

	void decided(RequestProgress next, long addedSeconds) {
		this.jitterSeconds = addedSeconds;
		this.progress = next;
	}

}
