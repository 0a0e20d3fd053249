package dev.ratelimit.web;

import java.util.Optional;
import java.util.Set;

import dev.ratelimit.engine.RetryKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdempotencyKeysTests {

	private static final IdempotencyKeys LENIENT = new IdempotencyKeys(Set.of("POST", "PATCH"), false);

	private static final IdempotencyKeys STRICT = new IdempotencyKeys(Set.of("POST"), true);

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '\u0000',
			value = { "\"8e03978e-40d5\";8e03978e-40d5", "\"a b\";a b", "\"a\\\"b\\\\c\";a\"b\\c", "\"\\\"\";\"" })
	void quotedKeyIsUnquoted(String line, String key) {
		assertThat(key(LENIENT, line)).hasValue(key);
		assertThat(key(STRICT, line)).hasValue(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "8e03978e-40d5", "KG5LxwFBepaKHyUD", "a;b=1", "a\"b", "~!@" })
	void bareKeyIsAcceptedUnlessStrict(String line) {
		assertThat(key(LENIENT, line)).hasValue(line);
		assertThat(key(STRICT, line)).isEmpty();
	}

	@Test
	void quotedAndBareAreTheSameKey() {
		assertThat(key(LENIENT, "\"k-1\"")).isEqualTo(key(LENIENT, " k-1 "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\"", "\"\"", "\"a", "\"a\\\"", "\"a\\x\"", "\"a\"b\"", "\"a\";p=1",
			"\"a\" \"b\"", "a b", "a\u0001b", "\"a\u0001b\"", "\"a\nb\"", "caf\u00e9", "\"caf\u00e9\"", "a\u007f",
			"\"a\u007f\"" })
	void keyThatCannotBeUsedIsNone(String line) {
		assertThat(key(LENIENT, line)).isEmpty();
		assertThat(key(STRICT, line)).isEmpty();
	}

	@Test
	void longestKeyHas255Characters() {
		assertThat(key(LENIENT, "x".repeat(255))).isPresent();
		assertThat(key(LENIENT, "x".repeat(256))).isEmpty();
		assertThat(key(LENIENT, "\"" + "x".repeat(254) + "\"")).isEmpty();
	}

	@Test
	void severalLinesAreNoKey() {
		assertThat(LENIENT.read(request().header("Idempotency-Key", "a").header("Idempotency-Key", "a"))).isEmpty();
		assertThat(LENIENT.read(request())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "PUT", "DELETE", "HEAD", "post" })
	void keysOfOtherMethodsAreNotHonoured(String method) {
		assertThat(LENIENT.read(FakeRequest.of(method, "/pay").header("Idempotency-Key", "a"))).isEmpty();
	}

	@Test
	void anotherOperationIsNoRetry() {
		assertThat(Set.of(operation(request()), operation(FakeRequest.of("PATCH", "/pay")),
				operation(FakeRequest.of("POST", "/pay/")), operation(FakeRequest.of("POST", "/pay?a=1")),
				operation(request().header("Content-Type", "a/b")), operation(request().header("Content-Length", "1")),
				operation(request().header("Content-Digest", "sha-256=:x:"))))
			.hasSize(7);
		assertThat(operation(request().header("Accept", "a/b"))).isEqualTo(operation(request()));
	}

	private static Optional<String> key(IdempotencyKeys keys, String line) {
		return keys.read(request().header("Idempotency-Key", line)).map(RetryKey::key);
	}

	private static String operation(FakeRequest request) {
		return LENIENT.read(request.header("Idempotency-Key", "a")).orElseThrow().operation();
	}

	private static FakeRequest request() {
		return FakeRequest.of("POST", "/pay");
	}

}
