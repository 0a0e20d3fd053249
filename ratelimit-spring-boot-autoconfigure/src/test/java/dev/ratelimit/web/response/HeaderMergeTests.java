package dev.ratelimit.web.response;

import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.web.response.HeaderSettings.Format;
import dev.ratelimit.web.response.HeaderSettings.OnSuccess;
import dev.ratelimit.web.response.HeaderSettings.Reset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class HeaderMergeTests {

	private static final Map<String, String> OURS = Map.of("RateLimit-Policy", "\"a\";q=10;w=60, \"b\";q=20;w=60",
			"RateLimit", "\"a\";r=5;t=6, \"b\";r=9;t=3");

	private static final Map<String, String> TRIPLE = Map.of("X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "5",
			"X-RateLimit-Reset", "1795255030");

	@Test
	void listsAreAppended() {
		Map<String, String> theirs = Map.of("RateLimit-Policy", "\"up, stream\";q=7", "RateLimit",
				"\"up, stream\"; r=3 ; t=9");
		assertThat(draft(theirs)).containsOnly(
				entry("RateLimit-Policy", "\"up, stream\";q=7, \"a\";q=10;w=60, \"b\";q=20;w=60"),
				entry("RateLimit", "\"up, stream\"; r=3 ; t=9, \"a\";r=5;t=6, \"b\";r=9;t=3"));
	}

	@Test
	void ofTwoWithTheSameNameTheStricterStays() {
		Map<String, String> theirs = Map.of("RateLimit-Policy", "\"a\";q=7,\"b\";q=8", "RateLimit",
				"\"a\";t=1;r=6,\"b\";r=2");
		assertThat(draft(theirs)).containsOnly(entry("RateLimit-Policy", "\"a\";q=10;w=60, \"b\";q=8"),
				entry("RateLimit", "\"a\";r=5;t=6, \"b\";r=2"));
	}

	@Test
	void policiesAloneAreNoReasonToTellLess() {
		assertThat(draft(Map.of("RateLimit-Policy", "\"gateway\";q=1000"))).contains(
				entry("RateLimit", OURS.get("RateLimit")),
				entry("RateLimit-Policy", "\"gateway\";q=1000, " + OURS.get("RateLimit-Policy")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=10, remaining=3, reset=7", "default;r=1", "\"open", "\"a\";r=1, , \"b\"", "42",
			"\"a\\" })
	void malformedHeaderIsUnchanged(String other) {
		assertThat(draft(Map.of("RateLimit", other))).containsOnly(entry("RateLimit", other));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"a\\\"", "\"", "\"a\"", "\"a\";\"", "\"a\" ", "\"\\", "\"a\";r=1;" })
	@Timeout(10)
	void longHostileListsAreReadWithoutHarm(String part) {
		String list = "\"a\";x=\"\", " + part.repeat(20_000) + "(";
		assertThat(draft(Map.of("RateLimit", list))).containsKey("RateLimit");
	}

	@ParameterizedTest
	@CsvSource({ "4, false", "5, false", "6, true", "-1, false", "many, false", "99999999999999999999, false" })
	void aTripleIsReplacedAsAWholeAndOnlyIfLessRemains(String remaining, boolean replaced) {
		Map<String, String> theirs = Map.of("X-RateLimit-Limit", "99", "X-RateLimit-Remaining", remaining);
		assertThat(merge(Format.LEGACY, TRIPLE, theirs)).isEqualTo((replaced) ? TRIPLE : theirs);
	}

	@Test
	void aTripleThatDoesNotSayWhatRemainsStays() {
		Map<String, String> theirs = Map.of("X-RateLimit-Reset", "1");
		assertThat(merge(Format.LEGACY, TRIPLE, theirs)).isEqualTo(theirs);
	}

	@Test
	void eachHalfOfBothIsMergedByItself() {
		Map<String, String> ours = new HashMap<>(OURS);
		ours.putAll(TRIPLE);
		assertThat(merge(Format.BOTH, ours, Map.of("X-RateLimit-Remaining", "1"))).containsOnly(
				entry("X-RateLimit-Remaining", "1"), entry("RateLimit", OURS.get("RateLimit")),
				entry("RateLimit-Policy", OURS.get("RateLimit-Policy")));
	}

	@ParameterizedTest
	@CsvSource({ "4, false", "6, true" })
	void olderDraftsGoByWhatRemainsToo(String remaining, boolean replaced) {
		Map<String, String> dictionary = Map.of("RateLimit-Policy", "10;w=60", "RateLimit",
				"limit=10, remaining=5, reset=6");
		Map<String, String> others = Map.of("RateLimit", "limit=9,remaining=" + remaining + ",reset=1");
		assertThat(merge(Format.DRAFT_7, dictionary, others)).isEqualTo((replaced) ? dictionary : others);
		Map<String, String> three = Map.of("RateLimit-Limit", "10", "RateLimit-Remaining", "5", "RateLimit-Reset", "6");
		Map<String, String> othersThree = Map.of("RateLimit-Remaining", remaining);
		assertThat(merge(Format.DRAFT_6, three, othersThree)).isEqualTo((replaced) ? three : othersThree);
	}

	private static Map<String, String> draft(Map<String, String> theirs) {
		return merge(Format.DRAFT, OURS, theirs);
	}

	private static Map<String, String> merge(Format format, Map<String, String> ours, Map<String, String> theirs) {
		HeaderNames names = (format != Format.DRAFT_6) ? HeaderNames.DEFAULT : HeaderNames.DRAFT_6;
		return HeaderFormat.of(new HeaderSettings(format, names, OnSuccess.ALWAYS, false, Reset.EPOCH, false, false))
			.merge(ours, theirs);
	}

}
