package dev.ratelimit.client;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAfterTests {

	private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

	private static HttpHeaders retryAfter(String value) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, value);
		return headers;
	}

	@ParameterizedTest
	@CsvSource({ "1, 1000", "' 120 ', 120000", "007, 7000", "2.0, 2000", "1.0001, 1001" })
	void readsSeconds(String value, long millis) {
		assertThat(RetryAfter.of(retryAfter(value), NOW)).contains(Duration.ofMillis(millis));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Sat, 21 Nov 2026 12:00:30 GMT", "Saturday, 21-Nov-26 12:00:30 GMT",
			"Sat Nov 21 12:00:30 2026" })
	void readsTheThreeFormsOfADate(String value) {
		assertThat(RetryAfter.of(retryAfter(value), NOW)).contains(Duration.ofSeconds(30));
	}

	@Test
	void aDayOfOneDigitFollowsTwoBlanks() {
		assertThat(RetryAfter.of(retryAfter("Sat Nov  7 12:00:30 2026"), Instant.parse("2026-11-07T12:00:00Z")))
			.contains(Duration.ofSeconds(30));
	}

	@Test
	void comparesADateToTheServersOwnClock() {
		HttpHeaders headers = retryAfter("Sat, 21 Nov 2026 15:00:30 GMT");
		headers.set(HttpHeaders.DATE, "Sat, 21 Nov 2026 15:00:00 GMT");
		assertThat(RetryAfter.of(headers, NOW)).contains(Duration.ofSeconds(30));
		headers.set(HttpHeaders.DATE, "whenever");
		assertThat(RetryAfter.of(headers, NOW)).contains(Duration.ofHours(3).plusSeconds(30));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "0.0", "-1", "+5", "1e9", "5 s", "abc", "0x10", "NaN", "1,2", "1.", ".5",
			"Sat, 21 Nov 2026 11:59:59 GMT", "99 Nov", "1 \u0661" })
	void unreadableOrPastValueIsIgnored(String value) {
		assertThat(RetryAfter.of(retryAfter(value), NOW)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "9223372036854775808", "99999999999999999999999999999999999999",
			"Fri, 31 Dec 9999 23:59:59 GMT" })
	void enormousValueIsReadAsTheMaximum(String value) {
		assertThat(RetryAfter.of(retryAfter(value), NOW)).contains(RetryAfter.MAX_WAIT);
	}

	@Test
	void overlongValueIsNotRead() {
		assertThat(RetryAfter.of(retryAfter("9".repeat(65)), NOW)).isEmpty();
		assertThat(RetryAfter.of(new HttpHeaders(), NOW)).isEmpty();
	}

}
