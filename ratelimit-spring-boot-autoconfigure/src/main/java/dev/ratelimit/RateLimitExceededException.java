package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Thrown when a call of a limited method is rejected, or emitted by the publisher or
 * future that the method returns. If it is not caught below a controller, the request is
 * rejected as if its handler were limited. The decision is not serialized: after
 * deserialization, only the message is left.
 *
 * @since 0.1.0
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Decision decision;

	/**
	 * Create an exception for a rejection.
	 * @param decision the decision that rejects the call
	 * @throws IllegalArgumentException if the decision allows the call
	 */
	public RateLimitExceededException(Decision decision) {
		super(message(decision));
		this.decision = decision;
	}

	private static String message(Decision decision) {
		if (decision.allowed()) {
			throw new IllegalArgumentException(
					"the decision allows the call; if the call must not be delayed, cancel the reservation, and throw another exception");
		}
		List<String> names = decision.verdicts()
			.stream()
			.filter((verdict) -> !verdict.outcome().passes())
			.map((verdict) -> verdict.policy().name())
			.toList();
		return "Rejected by rate limit " + String.join(", ", names) + " (" + decision.reason() + ")"
				+ decision.retryAfter().map((wait) -> "; retry after " + wait.toMillis() + " ms").orElse("");
	}

	/**
	 * Return the decision that rejects the call.
	 * @return the decision
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * Return the wait after which the call can be retried.
	 * @return the maximum wait of all limits that reject the call; empty if waiting does
	 * not help
	 */
	public Optional<Duration> retryAfter() {
		return this.decision.retryAfter();
	}

}
