package dev.ratelimit.header;

import java.util.Comparator;

import dev.ratelimit.Verdict;

/**
 * The waits that verdicts tell of, rounded up.
 */
final class Waits {

	/** Who has to wait longest comes first. */
	static final Comparator<Verdict> LONGEST_FIRST = Comparator
		.comparingLong((Verdict verdict) -> isNever(verdict) ? Long.MAX_VALUE : millis(verdict))
		.reversed();

	private static final long SOON_MILLIS = 1000;

	private Waits() {
	}

	static boolean isNever(Verdict refused) {
		return refused.retryAfterMillis() == Verdict.NEVER;
	}

	// A lease may be given back at any time: its end says nothing of when to come again.
	static long millis(Verdict refused) {
		return (refused.policy().concurrent()) ? SOON_MILLIS : refused.retryAfterMillis();
	}

	static long wholeSeconds(long millis) {
		return Math.floorDiv(millis + 999, 1000L);
	}

	/**
	 * A wait to tell of.
	 * @param millis milliseconds
	 * @return seconds, at least 1
	 */
	static long seconds(long millis) {
		return Math.max(1, wholeSeconds(millis));
	}

}
