package dev.ratelimit.client;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class LimitHeaderParserTests {

	private static HttpHeaders rateLimit(String... values) {
		HttpHeaders headers = new HttpHeaders();
		for (String value : values) {
			headers.add("RateLimit", value);
		}
		return headers;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "\"a\";r=0;t=30 | 30", "\"a\"; r=0; t=30 | 30", "\"a\";r=0;t=3, \"b\";r=0;t=5 | 5",
					"\"a\";r=9;t=50,\"b\";r=0;t=5 | 5", "\"a\";t=7;pk=:YQ==:;r=0;x=1 | 7", "\"a,b;r=1\";r=0;t=4 | 4",
					"\"a\\\"b\";r=0;t=4 | 4", "a;r=0;t=4 | 4", "rubbish;;, \"b\";r=0;t=2 | 2" })
	void readsHowLongNothingIsLeft(String value, long seconds) {
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit(value))).contains(Duration.ofSeconds(seconds));
	}

	@Test
	void severalLinesAreOneList() {
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit("\"a\";r=1;t=9", "\"b\";r=0;t=8")))
			.contains(Duration.ofSeconds(8));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\"a\";r=1;t=30", "\"a\";r=0", "\"a\";r=0;t=0", "\"a\";r=0;t=-3", "\"a\";t=30",
			"\"a\";r=00x;t=3", "\"a\";r=0;t=1e3", "\"a;r=0;t=30", "limit=100, remaining=0, reset=30", ",,,", ";r;t",
			"\"a\";r=0;t=9999999999999999" })
	void valueWithoutPauseIsIgnored(String value) {
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit(value))).isEmpty();
	}

	@Test
	void excessiveValuesAreBounded() {
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit("\"a\";r=0;t=999999999999999")))
			.contains(RetryAfter.MAX_WAIT);
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit("\"a\";r=0;t=30," + "x".repeat(4096)))).isEmpty();
		assertThat(RequestAttempts.LimitHeaderParser.pause(rateLimit("x,".repeat(32) + "\"a\";r=0;t=30"))).isEmpty();
	}

	@Test
	void pauseOfCachedResponseIsIgnored() {
		HttpHeaders headers = rateLimit("\"a\";r=0;t=30");
		headers.set("Age", "0");
		assertThat(RequestAttempts.LimitHeaderParser.pause(headers)).isPresent();
		headers.set("Age", "1");
		assertThat(RequestAttempts.LimitHeaderParser.pause(headers)).isEmpty();
		headers.set("Age", "rubbish");
		assertThat(RequestAttempts.LimitHeaderParser.pause(headers)).isEmpty();
	}

}
