package dev.ratelimit;

import java.time.Duration;
import java.util.Optional;

/**
 * The result for one bucket. Immutable. The numbers are only valid if the outcome is
 * {@linkplain Outcome#measured() measured}. Otherwise, they are zero, except for the
 * wait.
 *
 * @param policy the evaluated limit
 * @param outcome the outcome of the charge
 * @param cost units requested; 0 is a peek
 * @param remaining the remaining whole units, never negative
 * @param retryAfterMillis 0 if the charge fits, the minimum wait in milliseconds after
 * which it fits, or negative if no wait is long enough; see {@link #retryAfter()}
 * @param resetAfterMillis the minimum wait in milliseconds after which the bucket is full
 * @param nextUnitMillis the minimum wait in milliseconds after which more units remain; 0
 * if full
 * @param delayMillis the time in milliseconds for which an allowed request is held before
 * it continues; 0 for all algorithms but {@code leaky-bucket}, and if the rule only
 * counts
 * @since 0.1.0
 */
public record Verdict(Policy policy, Outcome outcome, long cost, long remaining, long retryAfterMillis,
		long resetAfterMillis, long nextUnitMillis, long delayMillis) {

	/**
	 * The wait for a slot: it can be freed at any time, so the end of its lease is no
	 * useful wait.
	 */
	private static final Duration SLOT_WAIT = Duration.ofSeconds(1);

	/**
	 * Create a verdict without a delay.
	 * @param policy the evaluated limit
	 * @param outcome the outcome of the charge
	 * @param cost requested units; 0 charges nothing
	 * @param remaining remaining whole units, never negative
	 * @param retryAfterMillis 0 if the charge fits, the minimum wait in milliseconds
	 * after which it fits, or negative if no wait is long enough
	 * @param resetAfterMillis the minimum wait in milliseconds until the bucket is full
	 * @param nextUnitMillis the minimum wait in milliseconds until the remaining units
	 * increase
	 */
	public Verdict(Policy policy, Outcome outcome, long cost, long remaining, long retryAfterMillis,
			long resetAfterMillis, long nextUnitMillis) {
		this(policy, outcome, cost, remaining, retryAfterMillis, resetAfterMillis, nextUnitMillis, 0);
	}

	/**
	 * Create a verdict for a bucket that no store evaluated.
	 * @param policy the limit
	 * @param outcome an outcome without numbers
	 * @param cost requested units
	 * @param retryAfterMillis milliseconds after which a retry makes sense, 0 if the
	 * request is allowed, or {@code -1} if none does
	 * @return the verdict
	 */
	public static Verdict unmeasured(Policy policy, Outcome outcome, long cost, long retryAfterMillis) {
		return new Verdict(policy, outcome, cost, 0, retryAfterMillis, 0, 0);
	}

	/**
	 * Return the wait after which the charge fits.
	 * @return zero if it fits, empty if no wait is long enough; one second if there are
	 * too many concurrent requests
	 */
	public Optional<Duration> retryAfter() {
		if (this.retryAfterMillis <= 0) {
			return (this.retryAfterMillis < 0) ? Optional.empty() : Optional.of(Duration.ZERO);
		}
		// If the store does not respond, a freed slot does not help.
		boolean slot = this.policy.concurrent() && this.outcome != Outcome.FAILED_CLOSED;
		return Optional.of((slot) ? SLOT_WAIT : Duration.ofMillis(this.retryAfterMillis));
	}

	/**
	 * Return the wait after which the bucket is full.
	 * @return zero if it is full, empty if the outcome is not measured
	 */
	public Optional<Duration> resetAfter() {
		return measured(this.resetAfterMillis);
	}

	/**
	 * Return the wait after which more units remain.
	 * @return zero if the bucket is full, empty if the outcome is not measured
	 */
	public Optional<Duration> nextUnitAfter() {
		return measured(this.nextUnitMillis);
	}

	private Optional<Duration> measured(long millis) {
		return (this.outcome.measured()) ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
	}

}
