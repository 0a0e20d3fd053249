package dev.ratelimit.client;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of HTTP client retries. Immutable.
 *
 * @param maxAttempts maximum number of attempts of a request, including the first; at
 * least 1
 * @param maxWait maximum single wait; if a server requires a longer wait, the request is
 * not retried. Positive, at most a day
 * @param maxTotalTime maximum time after the first attempt to start a retry; positive, at
 * most a day
 * @param backoff first wait if the server does not set one, doubled for each further
 * attempt; the actual wait is a random value between half and all of it. Positive
 * @param statuses response statuses to retry, from 400 to 599
 * @param methods HTTP methods to retry, in upper case; other methods require an
 * {@code Idempotency-Key}
 * @param budgetRatio number of retries that each request adds to the budget, from 0 to 1
 * @param budgetReserve maximum number of retries in the budget, and their number at
 * startup; not negative
 * @param throttle whether to delay requests while the server reports that no units remain
 * @since 0.1.0
 */
public record RetrySettings(int maxAttempts, Duration maxWait, Duration maxTotalTime, Duration backoff,
		Set<Integer> statuses, Set<String> methods, double budgetRatio, int budgetReserve, boolean throttle) {

	private static final Duration MAX_WAIT = Duration.ofDays(1);

	/** The default settings. */
	public static final RetrySettings DEFAULT = new RetrySettings(3, Duration.ofSeconds(60), Duration.ofMinutes(2),
			Duration.ofMillis(500), Set.of(429, 503), Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE"), 0.1, 10, true);

	public RetrySettings {
		statuses = Set.copyOf(statuses);
		methods = methods.stream()
			.map((method) -> method.toUpperCase(Locale.ROOT))
			.collect(Collectors.toUnmodifiableSet());
		require(maxAttempts >= 1, "max-attempts", maxAttempts, "it must be at least 1");
		require(isReasonable(maxWait), "max-wait", maxWait, "it must be between 1 ms and 24 h");
		require(isReasonable(maxTotalTime), "max-total-time", maxTotalTime, "it must be between 1 ms and 24 h");
		require(isReasonable(backoff), "backoff", backoff, "it must be between 1 ms and 24 h");
		require(statuses.stream().allMatch((status) -> status >= 400 && status <= 599), "statuses", statuses,
				"each must be between 400 and 599");
		require(budgetRatio >= 0 && budgetRatio <= 1, "budget-ratio", budgetRatio, "it must be between 0 and 1");
		require(budgetReserve >= 0, "budget-reserve", budgetReserve, "it must not be negative");
	}

	private static boolean isReasonable(Duration duration) {
		return duration.compareTo(Duration.ofMillis(1)) >= 0 && duration.compareTo(MAX_WAIT) <= 0;
	}

	private static void require(boolean condition, String name, Object value, String reason) {
		if (!condition) {
			throw new InvalidRetryException(name, value.toString(), reason);
		}
	}

}
