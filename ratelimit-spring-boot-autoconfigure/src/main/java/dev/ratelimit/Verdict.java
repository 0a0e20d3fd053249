package dev.ratelimit;

/**
 * The result for one bucket. Immutable. The numbers are only valid if the outcome is
 * {@linkplain Outcome#measured() measured}. Otherwise, they are zero, except for the
 * wait.
 *
 * @param policy the evaluated limit
 * @param outcome the outcome of the charge
 * @param cost requested units; 0 charges nothing
 * @param remaining remaining whole units, never negative
 * @param retryAfterMillis 0 if the charge fits, otherwise the minimum wait in
 * milliseconds, or {@link #NEVER}
 * @param resetAfterMillis minimum wait in milliseconds until the bucket is full
 * @param nextUnitMillis minimum wait in milliseconds until the remaining units increase;
 * 0 if full
 * @param delayMillis milliseconds to delay an allowed request; 0 for all algorithms
 * except {@code leaky-bucket}, and in shadow mode
 * @since 0.1.0
 */
public record Verdict(Policy policy, Outcome outcome, long cost, long remaining, long retryAfterMillis,
		long resetAfterMillis, long nextUnitMillis, long delayMillis) {

	/** Waiting does not help. */
	public static final long NEVER = -1;

	/**
	 * A verdict without a delay.
	 * @param policy the evaluated limit
	 * @param outcome the outcome of the charge
	 * @param cost requested units; 0 charges nothing
	 * @param remaining remaining whole units, never negative
	 * @param retryAfterMillis 0 if the charge fits, otherwise the minimum wait
	 * @param resetAfterMillis minimum wait until the bucket is full
	 * @param nextUnitMillis minimum wait until the remaining units increase
	 */
	public Verdict(Policy policy, Outcome outcome, long cost, long remaining, long retryAfterMillis,
			long resetAfterMillis, long nextUnitMillis) {
		this(policy, outcome, cost, remaining, retryAfterMillis, resetAfterMillis, nextUnitMillis, 0);
	}

	/**
	 * A verdict for a bucket that was not evaluated by a store.
	 * @param policy the limit
	 * @param outcome an outcome without numbers
	 * @param cost requested units
	 * @param retryAfterMillis milliseconds after which a retry makes sense, 0 if the
	 * request is allowed, or {@link #NEVER}
	 * @return the verdict
	 */
	public static Verdict unmeasured(Policy policy, Outcome outcome, long cost, long retryAfterMillis) {
		return new Verdict(policy, outcome, cost, 0, retryAfterMillis, 0, 0);
	}

}
