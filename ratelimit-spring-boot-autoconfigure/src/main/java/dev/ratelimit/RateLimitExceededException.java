package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A call of a limited method was refused. Thrown by the method, or emitted by the
 * publisher or future that it returns. Where nobody catches it below a controller, the
 * request is refused as if its handler were limited.
 *
 * @since 0.1.0
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Decision decision;

	/**
	 * An exception for a refusal.
	 * @param decision the refusal
	 */
	public RateLimitExceededException(Decision decision) {
		super(message(decision));
		this.decision = decision;
	}

	private static String message(Decision decision) {
		List<String> names = decision.verdicts()
			.stream()
			.filter((verdict) -> !verdict.outcome().passes())
			.map((verdict) -> verdict.policy().name())
			.toList();
		return "Rejected by rate limit " + String.join(", ", names) + " (" + decision.reason() + ")"
				+ decision.retryAfter().map((wait) -> "; retry after " + wait.toMillis() + " ms").orElse("");
	}

	/**
	 * The refusal.
	 * @return a decision that does not allow
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * How long to wait before another call makes sense.
	 * @return the longest wait of all limits that refuse; empty if no wait helps
	 */
	public Optional<Duration> retryAfter() {
		return this.decision.retryAfter();
	}

}
