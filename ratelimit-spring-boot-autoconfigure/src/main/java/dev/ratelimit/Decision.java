package dev.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decision for one request, in one phase or in all phases so far. Immutable.
 *
 * @param allowed whether the request is allowed
 * @param reason the reason
 * @param source the place where the decision was made
 * @param verdicts one verdict per bucket, in the order of the rules and their limits; the
 * list must not be modified
 * @param reservation the charges, which can be corrected
 * @since 0.1.0
 */
public record Decision(boolean allowed, Reason reason, Source source, List<Verdict> verdicts, Reservation reservation) {

	/** No rule applies: the request is allowed and nothing was charged. */
	public static final Decision UNMATCHED = new Decision(true, Reason.UNMATCHED, Source.LOCAL, List.of());

	/**
	 * Create a decision without charges that can be corrected.
	 * @param allowed whether the request is allowed
	 * @param reason the reason
	 * @param source the place where the decision was made
	 * @param verdicts one verdict per bucket
	 */
	public Decision(boolean allowed, Reason reason, Source source, List<Verdict> verdicts) {
		this(allowed, reason, source, verdicts, Reservation.NONE);
	}

	/**
	 * Return the wait after which the request fits.
	 * @return the maximum wait of the limits that reject; zero if the request is allowed,
	 * empty if no wait is long enough
	 */
	public Optional<Duration> retryAfter() {
		if (this.allowed) {
			return Optional.of(Duration.ZERO);
		}
		Optional<Duration> longest = Optional.empty();
		for (Verdict verdict : this.verdicts) {
			if (!verdict.outcome().passes()) {
				Optional<Duration> wait = verdict.retryAfter();
				if (wait.isEmpty()) {
					return wait;
				}
				longest = (longest.isEmpty() || wait.get().compareTo(longest.get()) > 0) ? wait : longest;
			}
		}
		return longest;
	}

	/**
	 * Return the time for which an allowed request is held before it continues.
	 * @return the time in milliseconds, the maximum of all limits; 0 if none holds the
	 * request
	 */
	public long delayMillis() {
		long longest = 0;
		for (int i = 0; this.allowed && i < this.verdicts.size(); i++) {
			longest = Math.max(longest, this.verdicts.get(i).delayMillis());
		}
		return longest;
	}

	/**
	 * Combine this decision with that of a later phase. The result is allowed if both
	 * are. The later decision provides the reason unless it has no verdict. The source is
	 * that of the later decision, or {@link Source#FALLBACK} if either has it.
	 * @param later the decision of the later phase
	 * @return the combined decision
	 */
	public Decision then(Decision later) {
		if (this.verdicts.isEmpty() || later.verdicts.isEmpty()) {
			return (later.verdicts.isEmpty()) ? this : later;
		}
		List<Verdict> all = new ArrayList<>(this.verdicts);
		all.addAll(later.verdicts);
		Source either = (this.source == Source.FALLBACK) ? this.source : later.source;
		return new Decision(this.allowed && later.allowed, later.reason, either, List.copyOf(all),
				this.reservation.and(later.reservation));
	}

}
