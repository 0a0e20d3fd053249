package dev.ratelimit.web.graphql;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.GateRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the interceptor of web requests and the provider of documents leave each other in
 * the context of an operation.
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
	 * How far the operation has come.
	 * @return its progress; null if it was not decided
	 */
	@Nullable RequestProgress progress() {
		return this.progress;
	}

	/**
	 * What is added to the waits in the response.
	 * @return seconds
	 */
	long jitterSeconds() {
		return this.jitterSeconds;
	}

	void decided(RequestProgress next, long addedSeconds) {
		this.jitterSeconds = addedSeconds;
		this.progress = next;
	}

}
