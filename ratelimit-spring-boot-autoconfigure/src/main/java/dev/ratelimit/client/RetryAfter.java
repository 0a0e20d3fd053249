package dev.ratelimit.client;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Reads {@code Retry-After}: seconds, to which some servers add decimals, or an HTTP
 * date.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3">RFC 9110</a>
 */
final class RetryAfter {

	/**
	 * The maximum wait: longer than the waits of all clients, but without overflows in
	 * calculations.
	 */
	static final Duration MAX_WAIT = Duration.ofDays(3650);

	private static final DateTimeFormatter ASCTIME = DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy",
			Locale.US);

	private static final int MAX_CHARACTERS = 64;

	private static final Pattern SECONDS = Pattern.compile("[0-9]+(\\.[0-9]+)?");

	private RetryAfter() {
	}

	/**
	 * Return the wait that a response requires.
	 * @param headers the headers of the response
	 * @param now the current time, for responses without a date
	 * @return a positive wait; empty if the response does not contain a valid wait
	 */
	static Optional<Duration> of(HttpHeaders headers, Instant now) {
		String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
		if (value == null || value.length() > MAX_CHARACTERS) {
			return Optional.empty();
		}
		String text = value.trim();
		return ((SECONDS.matcher(text).matches()) ? Optional.of(seconds(text)) : until(headers, now))
			.filter((wait) -> !wait.isZero() && !wait.isNegative());
	}

	private static Duration seconds(String text) {
		BigDecimal millis = new BigDecimal(text).movePointRight(3).setScale(0, RoundingMode.CEILING);
		return Duration.ofMillis(millis.min(BigDecimal.valueOf(MAX_WAIT.toMillis())).longValueExact());
	}

	// Uses the date of the response if it has one, because the clock of this machine may
	// differ from that of the server.
	private static Optional<Duration> until(HttpHeaders headers, Instant now) {
		Instant date = date(headers, HttpHeaders.RETRY_AFTER);
		if (date == null) {
			return Optional.empty();
		}
		Instant from = date(headers, HttpHeaders.DATE);
		return Optional.of(Duration.between((from != null) ? from : now, date))
			.map((wait) -> (wait.compareTo(MAX_WAIT) > 0) ? MAX_WAIT : wait);
	}

	private static @Nullable Instant date(HttpHeaders headers, String name) {
		try {
			ZonedDateTime date = headers.getFirstZonedDateTime(name);
			return (date != null) ? date.toInstant() : null;
		}
		catch (IllegalArgumentException ex) {
			return asctime(String.valueOf(headers.getFirst(name)));
		}
	}

	// The form of asctime, in which a day of one digit follows two blanks. An invalid
	// date is treated as a missing field.
	private static @Nullable Instant asctime(String text) {
		try {
			return LocalDateTime.parse(text, ASCTIME).toInstant(ZoneOffset.UTC);
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

}
