package dev.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer for one request in one phase. Immutable.
 *
 * @param allowed whether the request may pass
 * @param reason why
 * @param source who answered
 * @param verdicts one verdict per bucket, in the order of the rules and their limits
 * @param reservation by which what was charged can be corrected
 * @since 0.1.0
 */
public record Decision(boolean allowed, Reason reason, Source source, List<Verdict> verdicts, Reservation reservation) {

	/** No rule applies: the request passes and nothing was counted. */
	public static final Decision UNMATCHED = new Decision(true, Reason.UNMATCHED, Source.LOCAL, List.of());

	/**
	 * A decision that charged nothing which could be corrected.
	 * @param allowed whether the request may pass
	 * @param reason why
	 * @param source who answered
	 * @param verdicts one verdict per bucket
	 */
	public Decision(boolean allowed, Reason reason, Source source, List<Verdict> verdicts) {
		this(allowed, reason, source, verdicts, Reservation.NONE);
	}

	/**
	 * The wait after which the request fits.
	 * @return the longest wait of the limits that reject; zero if the request is allowed,
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
	 * How long an admitted request is to be held before it goes on.
	 * @return milliseconds, the longest of all limits; 0 if none holds it
	 */
	public long delayMillis() {
		long longest = 0;
		for (int i = 0; this.allowed && i < this.verdicts.size(); i++) {
			longest = Math.max(longest, this.verdicts.get(i).delayMillis());
		}
		return longest;
	}

	/**
	 * This decision followed by that of a later phase: both must allow, and the later one
	 * gives the reason unless it has no verdict. The source is the later one's, or
	 * {@link Source#FALLBACK} if it is that of either.
	 * @param later the decision of the later phase
	 * @return the union
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
