package dev.ratelimit.web.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;

/**
 * Internal: writes the rate limit fields in a format, and {@code Retry-After} on
 * rejections in all formats. Quantities are rounded down and waits are rounded up, so
 * that a client that respects the wait is not rejected again. Thread-safe.
 */
public final class RateLimitHeaders {

	private final HeaderFormat format;

	RateLimitHeaders(HeaderFormat format) {
		this.format = format;
	}

	/**
	 * Return the fields for a decision.
	 * @param decision the decision; its verdicts' order is that of the policies
	 * @param partitions the keys of the partitions by rule; empty if they are not
	 * disclosed
	 * @param nowEpochMillis the time
	 * @param jitterSeconds the seconds that are added to waits
	 * @return the fields; empty if there are none
	 */
	List<HeaderField> fields(Decision decision, Map<String, String> partitions, long nowEpochMillis,
			long jitterSeconds) {
		List<HeaderField> fields = new ArrayList<>(6);
		LimitSummary summary = LimitSummary.of(decision, partitions, nowEpochMillis, jitterSeconds);
		if (!summary.shown().isEmpty() && !isCountedHereAlone(decision)) {
			this.format.write(summary, fields);
		}
		if (!decision.allowed()) {
			retryAfterSeconds(decision, jitterSeconds)
				.ifPresent((seconds) -> fields.add(new HeaderField("Retry-After", Long.toString(seconds))));
			fields.add(new HeaderField("Cache-Control", "no-store"));
		}
		return fields;
	}

	// The counts of only this instance could exceed the limit, so allowed requests have
	// no fields. Rejections have fields, because they require the wait.
	private static boolean isCountedHereAlone(Decision decision) {
		return decision.allowed() && decision.source() == Source.FALLBACK;
	}

	/**
	 * Return the policies that reject.
	 * @param decision a rejection
	 * @return the rejecting verdicts, the longest wait first
	 */
	public static List<Verdict> violated(Decision decision) {
		List<Verdict> violated = new ArrayList<>(2);
		for (Verdict verdict : decision.verdicts()) {
			if (!verdict.outcome().passes()) {
				violated.add(verdict);
			}
		}
		violated.sort(Waits.LONGEST_FIRST);
		return violated;
	}

	/**
	 * Return the wait to write.
	 * @param decision a rejection
	 * @param jitterSeconds the seconds that are added
	 * @return seconds, at least 1; empty if a retry cannot succeed
	 */
	public static OptionalLong retryAfterSeconds(Decision decision, long jitterSeconds) {
		return decision.retryAfter()
			.map((wait) -> OptionalLong.of(Waits.seconds(wait.toMillis()) + jitterSeconds))
			.orElseGet(OptionalLong::empty);
	}

}
