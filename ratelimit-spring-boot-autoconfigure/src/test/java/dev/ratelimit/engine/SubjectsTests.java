package dev.ratelimit.engine;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;

import dev.ratelimit.Subject;
import dev.ratelimit.rule.KeyPart;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.support.DefaultConversionService;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectsTests {

	/**
	 * Mostly characters that require escaping, so that random values reveal collisions.
	 */
	private static final String ALPHABET = "ab%7bBdD{}|~:\n\r\t \u0000\u007f\u00e9\u20ac/";

	@ParameterizedTest
	@CsvSource({ "alice, user:alice", "2001:db8::/64, user:2001:db8::/64", "a b, user:a%20b", "a|b, user:a%7cb",
			"{a}, user:%7ba%7d", "~none, user:%7enone", "100%, user:100%25", "m\u00fcller, user:m\u00fcller" })
	void charactersWithAMeaningAreEscaped(String value, String part) {
		assertThat(Subjects.part("user", value)).isEqualTo(part);
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false, textBlock = """
			7,7
			007,7
			+7,7
			 07 ,7
			1 0,10
			-007,-7
			-0,0
			000,0
			0x1F4,500
			-0X1f4,-500
			#1f4,500
			\u0667\u0660,70
			00000000000000000000000000000000000000018446744073709551616,18446744073709551616
			0x00ffffffffffffffff,18446744073709551615
			0x1ffffffffffffffff,0x1ffffffffffffffff
			C0FFEE00-0000-4000-8000-00000000000A,c0ffee00-0000-4000-8000-00000000000a
			3f2a0e00-0000-4000-8000-00000000000a,3f2a0e00-0000-4000-8000-00000000000a
			000000000000000000000000000000000007,7
			Alice,Alice
			7-07,7-07
			0_7,0_7
			7a,7a
			07a,07a
			+,+
			7.0,7.0
			0x\uff17,7
			#\u0667,7
			-0x\uff21,-10
			 Alice ,Alice
			 c0ffee00-0000-4000-8000-00000000000a,c0ffee00-0000-4000-8000-00000000000a
			coffee-7-a-b-c,coffee-7-a-b-c
			2026-11-29,2026-11-29
			7-a-b-c-d,00000007-000a-000b-000c-00000000000d
			""")
	void aHandlerReadsAllSpellingsOfANumberAsOne(String value, String canonical) {
		assertThat(Subjects.part(KeyPart.Kind.PATH, value)).isEqualTo(Subjects.part("path", canonical));
		assertThat(Subjects.part(KeyPart.Kind.PARAM, value)).isEqualTo(Subjects.part("param", canonical));
		assertThat(Subjects.part(KeyPart.Kind.HEADER, value)).isEqualTo(Subjects.part("header", value));
	}

	// Otherwise, a client could get a new bucket for each spelling that a handler reads
	// as the same value.
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void allThatSpringConvertsToTheSameValueIsOneSubject(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		int converted = 0;
		for (int run = 0; run < 20_000; run++) {
			String text = (run % 2 == 0) ? changed(random, new UUID(random.nextLong(), random.nextLong()).toString())
					: changed(random, number(random));
			for (Class<?> type : List.of(UUID.class, Long.class, Integer.class, BigInteger.class)) {
				Object value = convert(text, type);
				if (value != null) {
					converted++;
					assertThat(Subjects.part(KeyPart.Kind.PATH, text)).as("seed %d, %s '%s'", seed, type, text)
						.isEqualTo(Subjects.part("path", canonical(value, text)));
				}
			}
		}
		assertThat(converted).isGreaterThan(10_000);
	}

	// Hexadecimal numbers of more than 64 bits remain hexadecimal.
	private static String canonical(Object value, String text) {
		boolean hexadecimal = text.contains("#") || text.toLowerCase(Locale.ROOT).contains("x");
		return (hexadecimal && value instanceof BigInteger number && number.abs().bitLength() > 64)
				? ((number.signum() < 0) ? "-0x" : "0x") + number.abs().toString(16) : value.toString();
	}

	private static String number(SplittableRandom random) {
		long value = random.nextLong() >> random.nextInt(64);
		return switch (random.nextInt(3)) {
			case 0 -> "0x" + Long.toHexString(value & Long.MAX_VALUE);
			case 1 -> "#" + Long.toHexString(value & Long.MAX_VALUE);
			default -> Long.toString(value);
		};
	}

	private static String changed(SplittableRandom random, String text) {
		StringBuilder changed = new StringBuilder(text);
		for (int change = random.nextInt(4); change > 0 && !changed.isEmpty(); change--) {
			int at = random.nextInt(changed.length());
			switch (random.nextInt(7)) {
				case 0 -> changed.insert(0, ' ');
				case 1 -> changed.append('\t');
				case 2 -> changed.setCharAt(at, Character.toUpperCase(changed.charAt(at)));
				case 3 -> changed.setCharAt(at, (char) ((Character.isDigit(changed.charAt(at)))
						? '\uff10' + Character.digit(changed.charAt(at), 10) : changed.charAt(at)));
				case 4 -> changed.insert(at, '0');
				case 5 -> changed.insert(0, '+');
				default -> {
					if (changed.charAt(at) == '0') {
						changed.deleteCharAt(at);
					}
				}
			}
		}
		return changed.toString();
	}

	private static @Nullable Object convert(String text, Class<?> type) {
		try {
			return DefaultConversionService.getSharedInstance().convert(text, type);
		}
		catch (ConversionFailedException ex) {
			return null;
		}
	}

	@Test
	void controlCharactersAndLineEndsAreEscaped() {
		assertThat(Subjects.part("user", "a\r\nb\u0000\u007f")).isEqualTo("user:a%0d%0ab%00%7f");
		assertThat(Subjects.of("a\r\nb\u0000\u007f")).isEqualTo("a%0d%0ab%00%7f");
	}

	@Test
	void longValuesAreReplacedByTheirHash() {
		String part = Subjects.part("header", "x".repeat(10_000));
		assertThat(part).startsWith("header:~sha256:").hasSizeLessThan(64);
		assertThat(part).isNotEqualTo(Subjects.part("header", "x".repeat(9_999)));
		assertThat(Subjects.part("header", "x".repeat(Subjects.MAX_LENGTH))).endsWith("xxx");
		assertThat(Subjects.of("{".repeat(10_000))).startsWith("~sha256:");
	}

	@Test
	void noValuePassesForAHashOrForNone() {
		String hash = Subjects.part("user", "x".repeat(200)).substring("user:".length());
		assertThat(Subjects.part("user", hash)).isNotEqualTo("user:" + hash);
		assertThat(Subjects.part("user", "~none")).isNotEqualTo(Subjects.missing("user"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void differentValuesNeverGiveTheSamePart(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		Map<String, String> byPart = new HashMap<>();
		for (int run = 0; run < 30_000; run++) {
			String value = value(random, (run % 50 == 0) ? 130 : 5);
			String other = byPart.put(Subjects.part("k", value), value);
			assertThat((other != null) ? other : value).as("seed %d run %d", seed, run).isEqualTo(value);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void differentKeysNeverGiveTheSameSubject(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		Map<String, List<String>> bySubject = new HashMap<>();
		for (int run = 0; run < 30_000; run++) {
			List<String> values = List.of(value(random, 6, "a:|%"), value(random, 6, "a:|%"));
			String subject = Subjects.join(values.stream().map((value) -> Subjects.part("a", value)).toList());
			List<String> other = bySubject.put(subject, values);
			assertThat((other != null) ? other : values).as("seed %d run %d", seed, run).isEqualTo(values);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void nothingEndsAHashTagOrALine(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int run = 0; run < 10_000; run++) {
			String value = value(random, 600);
			assertThat(Subjects.part("k", value) + Subjects.of(value)).as("seed %d run %d", seed, run)
				.doesNotContainPattern("[{}\\x00-\\x20\\x7f]");
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void codeCanNameTheSubjectsThatRequestsHave(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int run = 0; run < 5_000; run++) {
			String part = Subjects.part("k", value(random, 140));
			String joined = Subjects.join(List.of(part, Subjects.missing("ip"), part));
			assertThat(Subjects.of(part)).isEqualTo(part);
			assertThat(Subjects.of(joined)).as("seed %d run %d", seed, run).isEqualTo(joined);
		}
	}

	@Test
	void longestKeysKeepTheirSubjectWhenCodeNamesThem() {
		String part = Subjects.part("header", "{".repeat(Subjects.MAX_LENGTH));
		String subject = Subjects.join(List.of(part, part));
		assertThat(Subjects.of(subject)).isEqualTo(subject);
		assertThat(subject).isNotEqualTo(Subjects.join(List.of(part, part, part)));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void canonicalTextStaysAsItIs(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int run = 0; run < 10_000; run++) {
			String once = Subjects.of(value(random, 600));
			assertThat(Subjects.of(once)).as("seed %d run %d", seed, run).isEqualTo(once);
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "007", "+7", " 7 ", "0x7", "7", "a|b", "50%", "~7", "ABCDEF00-0000-0000-0000-000000000001" })
	void codeNamesAVariableInAnySpelling(String value) {
		assertThat(Subjects.of(Subject.of("path", value))).isEqualTo(Subjects.part(KeyPart.Kind.PATH, value));
		assertThat(Subjects.of(Subject.join("user:bob", Subject.of("param", value))))
			.isEqualTo(Subjects.join(List.of("user:bob", Subjects.part(KeyPart.Kind.PARAM, value))));
	}

	@Test
	void codeNamesSubjectsWithSeveralLongParts() {
		List<String> parts = Stream.of("a", "b", "c")
			.map((letter) -> Subjects.part("header", letter.repeat(100) + "|".repeat(28)))
			.toList();
		assertThat(Subjects.of(Subject.join(parts.toArray(String[]::new)))).isEqualTo(Subjects.join(parts))
			.contains("|header:~sha256:");
	}

	private static String value(SplittableRandom random, int longest) {
		return value(random, longest, ALPHABET);
	}

	private static String value(SplittableRandom random, int longest, String alphabet) {
		int length = random.nextInt(longest + 1);
		StringBuilder value = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			value.append(alphabet.charAt(random.nextInt(alphabet.length())));
		}
		return value.toString();
	}

}
