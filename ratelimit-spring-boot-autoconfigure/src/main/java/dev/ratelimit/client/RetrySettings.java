package dev.ratelimit.client;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a client repeats, and how long it waits for it. Immutable.
 *
 * @param maxAttempts how often a request is sent at most, the first time included; at
 * least 1
 * @param maxWait the longest single wait; what a server demands above it is not waited
 * for, and the refusal goes to the caller. Positive, at most a day
 * @param maxTotalTime how long after its first attempt a request may still be sent again;
 * positive, at most a day
 * @param backoff the first wait where the server names none, doubled from one attempt to
 * the next, of which a random part between half and all is waited; positive
 * @param statuses refusals after which a request is sent again, from 400 to 599
 * @param methods methods that may be repeated, in upper case; any other needs an
 * {@code Idempotency-Key}
 * @param budgetRatio how many retries each request of a client earns it, from 0 to 1
 * @param budgetReserve how many retries a client may save up, and has at the start; not
 * negative
 * @param throttle whether requests are held back while the server has nothing left
 * @since 0.1.0
 */
public record RetrySettings(int maxAttempts, Duration maxWait, Duration maxTotalTime, Duration backoff,
		Set<Integer> statuses, Set<String> methods, double budgetRatio, int budgetReserve, boolean throttle) {

	private static final Duration LONGEST = Duration.ofDays(1);

	/** What holds where nothing else is asked for. */
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
		return duration.compareTo(Duration.ofMillis(1)) >= 0 && duration.compareTo(LONGEST) <= 0;
	}

	private static void require(boolean condition, String name, Object value, String reason) {
		if (!condition) {
			throw new InvalidRetryException(name, value.toString(), reason);
		}
	}

}
