package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.Comparator;

import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;

/**
 * The waits of verdicts, rounded up.
 */
final class Waits {

	/** The longest wait comes first. */
	static final Comparator<Verdict> LONGEST_FIRST = Comparator
		.comparingLong((Verdict verdict) -> isNever(verdict) ? Long.MAX_VALUE : millis(verdict))
		.reversed();

	private Waits() {
	}

	static boolean isNever(Verdict rejected) {
		return rejected.retryAfterMillis() == Wait.NEVER;
	}

	static long millis(Verdict rejected) {
		return rejected.retryAfter().orElse(Duration.ZERO).toMillis();
	}

	static long wholeSeconds(long millis) {
		return Math.floorDiv(millis + 999, 1000L);
	}

	/**
	 * Return the wait to write.
	 * @param millis milliseconds
	 * @return seconds, at least 1
	 */
	static long seconds(long millis) {
		return Math.max(1, wholeSeconds(millis));
	}

}
