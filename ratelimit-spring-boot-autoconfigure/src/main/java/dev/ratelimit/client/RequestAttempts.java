package dev.ratelimit.client;

import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.client.OutboundListener.Reason;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * The attempts of one request.
 */
final class RequestAttempts {

	/** The header of requests that can be retried with any method. */
	static final String KEY = "Idempotency-Key";

	/**
	 * The minimum wait of retries that compete for the units of a quota, and the maximum
	 * random addition to their waits.
	 */
	private static final Duration LEAST_WAIT = Duration.ofMillis(50);

	private final RateLimitRetry retry;

	private final RetrySettings settings;

	private final RetryBudget budget;

	private final String origin;

	private final boolean mayRepeat;

	private long startNanos;

	private int attempts = 1;

	private RequestAttempts(RateLimitRetry retry, RetryBudget budget, String origin, boolean mayRepeat) {
		this.retry = retry;
		this.settings = retry.settings();
		this.budget = budget;
		this.origin = origin;
		this.mayRepeat = mayRepeat;
		this.startNanos = retry.time().nanoTime();
	}

	static RequestAttempts begin(RateLimitRetry retry, RetryBudget budget, HttpMethod method, URI uri,
			HttpHeaders headers) {
		boolean repeatable = retry.settings().methods().contains(method.name()) || headers.containsHeader(KEY);
		budget.earn();
		return new RequestAttempts(retry, budget, Throttle.origin(uri), repeatable);
	}

	boolean mayRepeat() {
		return this.mayRepeat && this.settings.maxAttempts() > 1;
	}

	// Returns the wait before the first attempt. If the pause exceeds the maximum wait or
	// total time, the request is sent immediately, so that the application receives the
	// rejection of the server.
	Duration hold() {
		Duration pause = this.retry.throttle().left(this.origin);
		if (pause.isZero() || exceeds(pause, this.settings.maxWait()) || exceeds(pause, left())) {
			return Duration.ZERO;
		}
		this.retry.listener().throttled(pause);
		// The total time begins with the first attempt.
		this.startNanos += pause.toNanos();
		return pause;
	}

	/**
	 * Decide whether to retry after a response.
	 * @param status its status
	 * @param headers its headers
	 * @param bodyRepeats whether the request's body can be sent again
	 * @return the wait before the next attempt; empty if the application receives the
	 * response
	 */
	Optional<Duration> next(int status, HttpHeaders headers, boolean bodyRepeats) {
		Optional<Duration> retryAfter = RetryAfter.of(headers, this.retry.time().now());
		Duration pause = pause(headers, retryAfter);
		if (!this.settings.statuses().contains(status)) {
			settle();
			return Optional.empty();
		}
		Duration wait = longer(longer(retryAfter.orElseGet(this::backoff), pause),
				this.retry.throttle().left(this.origin));
		Optional<Reason> obstacle = obstacle(wait, bodyRepeats);
		obstacle.ifPresentOrElse(this.retry.listener()::gaveUp, () -> this.retry.listener().retrying(status, wait));
		this.attempts += (obstacle.isEmpty()) ? 1 : 0;
		return (obstacle.isEmpty()) ? Optional.of(wait) : Optional.empty();
	}

	// A pause that exceeds the maximum wait is not shared with other requests. Otherwise,
	// one wrong header would prevent all retries to the origin until the pause ends.
	private Duration pause(HttpHeaders headers, Optional<Duration> retryAfter) {
		if (!this.settings.throttle()) {
			return Duration.ZERO;
		}
		Duration pause = LimitHeaderParser.pause(headers).map(retryAfter::orElse).orElse(Duration.ZERO);
		if (!pause.isZero() && !exceeds(pause, this.settings.maxWait())) {
			this.retry.throttle().pause(this.origin, pause);
		}
		return pause;
	}

	private Optional<Reason> obstacle(Duration wait, boolean bodyRepeats) {
		if (!this.mayRepeat) {
			return Optional.of(Reason.METHOD);
		}
		if (!bodyRepeats) {
			return Optional.of(Reason.BODY);
		}
		if (this.attempts >= this.settings.maxAttempts()) {
			return Optional.of(Reason.ATTEMPTS);
		}
		if (exceeds(wait, this.settings.maxWait())) {
			return Optional.of(Reason.WAIT);
		}
		if (exceeds(wait, left())) {
			return Optional.of(Reason.TOTAL_TIME);
		}
		return (this.budget.spend()) ? Optional.empty() : Optional.of(Reason.BUDGET);
	}

	/**
	 * Return the wait after which a retry that a quota has rejected can be charged. Such
	 * a retry was not sent, so it is not an attempt of its own. Usually, the response to
	 * an earlier attempt has paused the rule of the quota.
	 * @param rejection the rejection by the quota
	 * @return the wait, positive
	 * @throws RateLimitExceededException the rejection, if it is that of a first attempt,
	 * or the wait exceeds the maximum wait or total time
	 */
	Duration untilCharged(RateLimitExceededException rejection) {
		if (this.attempts == 1) {
			throw rejection;
		}
		Duration wait = longer(rejection.retryAfter().orElse(RetryAfter.MAX_WAIT), LEAST_WAIT);
		if (exceeds(wait, this.settings.maxWait()) || exceeds(wait, left())) {
			settle();
			this.retry.listener().gaveUp(exceeds(wait, this.settings.maxWait()) ? Reason.WAIT : Reason.TOTAL_TIME);
			throw rejection;
		}
		// Not all of them can be charged with the next unit.
		Duration spread = wait.plusNanos((long) (LEAST_WAIT.toNanos() * this.retry.random()));
		this.retry.listener().throttled(spread);
		return spread;
	}

	static void sleep(RetryTime time, Duration wait) throws InterruptedIOException {
		if (wait.isZero()) {
			return;
		}
		try {
			time.sleep(wait);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw interrupted(ex);
		}
	}

	static InterruptedIOException interrupted(Exception cause) {
		InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting to send a request");
		interrupted.initCause(cause);
		return interrupted;
	}

	private void settle() {
		if (this.attempts > 1) {
			this.budget.refund();
		}
	}

	// Returns a random wait between half and all of the backoff, to spread the retries of
	// clients that were rejected at the same time.
	private Duration backoff() {
		double doubled = this.settings.backoff().toMillis() * Math.pow(2, this.attempts - 1);
		double longest = Math.min(doubled, this.settings.maxWait().toMillis());
		return Duration.ofMillis(Math.max(1, Math.round(longest * (1 + this.retry.random()) / 2)));
	}

	private Duration left() {
		return this.settings.maxTotalTime().minusNanos(this.retry.time().nanoTime() - this.startNanos);
	}

	private static Duration longer(Duration one, Duration other) {
		return (exceeds(one, other)) ? one : other;
	}

	private static boolean exceeds(Duration duration, Duration bound) {
		return duration.compareTo(bound) > 0;
	}

	/**
	 * Reads from {@code RateLimit} the time for which a server has no remaining units.
	 * Invalid parts are ignored, as the draft requires.
	 *
	 * @see <a href=
	 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
	 * header fields for HTTP</a>
	 */
	static final class LimitHeaderParser {

		private static final String FIELD = "RateLimit";

		private static final int MAX_CHARACTERS = 4096;

		private static final int MAX_ITEMS = 32;

		/**
		 * The number of digits of the largest integer of structured fields (RFC 9651).
		 */
		private static final int MAX_DIGITS = 15;

		private static final long NONE = -1;

		private LimitHeaderParser() {
		}

		/**
		 * Return the time for which a server has no remaining units: the maximum of all
		 * policies.
		 * @param headers the headers of the response
		 * @return the time; empty if units remain or it is unknown
		 */
		static Optional<Duration> pause(HttpHeaders headers) {
			if (!headers.containsHeader(FIELD) || fromCache(headers)) {
				return Optional.empty();
			}
			String list = String.join(",", headers.getOrEmpty(FIELD));
			long longest = 0;
			for (String item : (list.length() > MAX_CHARACTERS) ? List.<String>of() : split(list, ',', MAX_ITEMS)) {
				longest = Math.max(longest, seconds(split(item, ';', MAX_ITEMS)));
			}
			return (longest > 0) ? Optional.of(Duration.ofSeconds(Math.min(longest, RetryAfter.MAX_WAIT.toSeconds())))
					: Optional.empty();
		}

		// The header of a cached response shows the remaining units at the time of its
		// storage.
		private static boolean fromCache(HttpHeaders headers) {
			String age = headers.getFirst(HttpHeaders.AGE);
			return age != null && number(age.trim()) != 0;
		}

		private static long seconds(List<String> parts) {
			long left = NONE;
			long seconds = NONE;
			for (int i = 1; i < parts.size(); i++) {
				String part = parts.get(i).trim();
				left = (part.startsWith("r=")) ? number(part.substring(2)) : left;
				seconds = (part.startsWith("t=")) ? number(part.substring(2)) : seconds;
			}
			return (left == 0) ? seconds : NONE;
		}

		private static long number(String text) {
			boolean digits = !text.isEmpty() && text.length() <= MAX_DIGITS
					&& text.chars().allMatch((digit) -> digit >= '0' && digit <= '9');
			return (digits) ? Long.parseLong(text) : NONE;
		}

		// Returns the parts between separators outside of quotes; an empty list if a
		// quote is not closed.
		private static List<String> split(String text, char separator, int most) {
			List<String> parts = new ArrayList<>();
			boolean quoted = false;
			int start = 0;
			for (int i = 0; i < text.length() && parts.size() < most; i++) {
				char next = text.charAt(i);
				if (next == '\\' && quoted) {
					i++;
				}
				else if (next == '"') {
					quoted = !quoted;
				}
				else if (next == separator && !quoted) {
					parts.add(text.substring(start, i));
					start = i + 1;
				}
			}
			if (parts.size() < most) {
				parts.add(text.substring(start));
			}
			return (quoted) ? List.of() : parts;
		}

	}

}
