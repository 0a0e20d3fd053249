package dev.ratelimit.observation;

import dev.ratelimit.Decision;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observed decision, for a {@link RateLimitObservationConvention}.
 *
 * @since 0.1.0
 */
public final class RateLimitObservationContext extends Observation.Context {

	private final String phase;

	private volatile @Nullable Decision decision;

	RateLimitObservationContext(String phase) {
		this.phase = phase;
	}

	RateLimitObservationContext(String phase, Decision decision) {
		this(phase);
		this.decision = decision;
	}

	/**
	 * Return the phase that makes the decision.
	 * @return {@code early} or {@code late} for requests, {@code method} for calls of
	 * limited methods of beans
	 */
	public String getPhase() {
		return this.phase;
	}

	/**
	 * Return the decision. For the context of the HTTP server, it combines all phases so
	 * far.
	 * @return the decision; null before it is made
	 */
	public @Nullable Decision getDecision() {
		return this.decision;
	}

	void setDecision(Decision decision) {
		this.decision = decision;
	}

}
