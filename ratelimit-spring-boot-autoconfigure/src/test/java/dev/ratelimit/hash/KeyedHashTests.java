package dev.ratelimit.hash;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class KeyedHashTests {

	/**
	 * The values are from CPython 3.11 with {@code PYTHONHASHSEED=0}, which uses the same
	 * hash.
	 */
	@ParameterizedTest
	@CsvSource({ "a, 9b310fba2c6d84d2", "ab, 2c6ea1c831fe18f3", "abc, c24f63cbd86a33e3", "abcd, cac139f1a7b39f3a",
			"abcde, 854779d83f574ecc", "abcdefgh, cd332feadad186d", "0123456789abcdefgh, 5e489765a917f5c6",
			"Ünïcödé ☃ 0123456789, fbce794e1366f6f2" })
	void theHashIsThatOfOtherImplementations(String text, String hash) {
		assertThat(Long.toHexString(KeyedHash.of(text, 0, 0))).isEqualTo(hash);
	}

	@Test
	void textsThatCollideInTheJdkDoNot() {
		assertThat(Stream.of("AaAa", "AaBB", "BBAa", "BBBB").map(String::hashCode).distinct()).hasSize(1);
		assertThat(IntStream.range(0, 1 << 12).map((bits) -> KeyedHash.of(colliding(bits))).distinct())
			.hasSizeGreaterThan((1 << 12) - 20);
	}

	@Test
	void equalTextsHaveTheSameHash() {
		assertThat(KeyedHash.of("user:" + "alice".repeat(3))).isEqualTo(KeyedHash.of("user:alicealicealice"));
		assertThat(KeyedHash.of("")).isEqualTo(KeyedHash.of(""));
	}

	@Test
	void anotherKeyMakesOtherHashes() {
		assertThat(KeyedHash.of("alice", 1, 2)).isNotEqualTo(KeyedHash.of("alice", 1, 3));
		assertThat(KeyedHash.of("alice", 1, 2)).isNotEqualTo(KeyedHash.of("alice", 2, 2));
	}

	private static String colliding(int bits) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 12; i++) {
			text.append(((bits >> i & 1) == 0) ? "Aa" : "BB");
		}
		return text.toString();
	}

}
