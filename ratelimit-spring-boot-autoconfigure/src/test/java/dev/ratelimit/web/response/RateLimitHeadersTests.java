package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.test.GoldenVectors;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitHeadersTests {

	private static final long NOW = 1_795_255_000_123L;

	private final RateLimitHeaders headers = new RateLimitHeaders(HeaderFormat.of(HeaderSettings.DEFAULT));

	static Stream<Named<JsonNode>> cases() {
		return stream(GoldenVectors.read("/vectors/headers.json"))
			.map((node) -> Named.of(node.get("name").asString(), node));
	}

	@Test
	void allGoldenCasesAreThere() {
		assertThat(cases()).hasSize(12);
	}

	@ParameterizedTest
	@MethodSource("cases")
	void writesWhatTheGoldenCasesSay(JsonNode golden) {
		boolean allowed = golden.get("allowed").asBoolean();
		List<Verdict> verdicts = stream(golden.get("policies")).map(RateLimitHeadersTests::verdict).toList();
		List<HeaderField> expected = golden.get("headers")
			.properties()
			.stream()
			.map((field) -> new HeaderField(field.getKey(), field.getValue().asString()))
			.filter((field) -> !field.name().equals("Content-Type"))
			.toList();
		assertThat(this.headers.fields(decision(allowed, verdicts), Map.of(), golden.get("now_epoch_ms").asLong(), 0))
			.containsExactlyElementsOf(expected);
	}

	@Test
	void decisionWithoutRulesTellsNothing() {
		assertThat(fields(Decision.UNMATCHED)).isEmpty();
	}

	@Test
	void clientsAreNotToldOfRulesThatOnlyWatch() {
		Verdict watching = verdict(policy("watch", 10, true), Outcome.SHADOW_REJECTED, 0, 500);
		assertThat(fields(decision(true, List.of(watching)))).isEmpty();
		Verdict enforced = verdict(policy("enforce", 10, false), Outcome.ALLOWED, 9, 0);
		assertThat(fields(decision(true, List.of(watching, enforced)))).extracting(HeaderField::value)
			.noneMatch((value) -> value.contains("watch"))
			.anyMatch((value) -> value.contains("enforce"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			more room, larger share used       | 100, 68, 1   | 20, 19, 1 | b, a | 20, 19
			fewer requests of a larger cost    | 100, 68, 10  | 20, 19, 1 | a, b | 100, 68
			equal by whole requests, less left | 100, 19, 10  | 20, 19, 10 | a, b | 100, 19
			nothing left comes first           | 100, 0, 1    | 20, 3, 5  | a, b | 100, 0
			what costs nothing comes last      | 100, 2, 0    | 20, 19, 1 | b, a | 20, 19
			""")
	void theLimitThatTheClientMeetsFirstIsToldFirst(String situation, String first, String second, String order,
			String triple) {
		List<HeaderField> fields = fields(decision(true, List.of(measured("a", first), measured("b", second))));
		assertThat(value(fields, "RateLimit").replaceAll("\"(.)\"[^,]*", "$1")).isEqualTo(order);
		assertThat(value(fields, "X-RateLimit-Limit") + ", " + value(fields, "X-RateLimit-Remaining"))
			.isEqualTo(triple);
	}

	@Test
	void clientsAreNotToldNumbersThatNobodyMeasured() {
		Verdict open = Verdict.unmeasured(policy("a", 10, false), Outcome.FAILED_OPEN, 1, 0);
		assertThat(fields(decision(true, List.of(open)))).isEmpty();
		Verdict closed = Verdict.unmeasured(policy("a", 10, false), Outcome.FAILED_CLOSED, 1, 1500);
		assertThat(fields(decision(false, List.of(closed)))).containsExactly(new HeaderField("Retry-After", "2"),
				new HeaderField("Cache-Control", "no-store"));
		Verdict missing = Verdict.unmeasured(policy("a", 10, false), Outcome.KEY_MISSING, 1, Wait.NEVER);
		assertThat(fields(decision(false, List.of(missing))))
			.containsExactly(new HeaderField("Cache-Control", "no-store"));
	}

	@Test
	void clientsAreNotToldWhatOneInstanceCountsAloneUnlessItRejects() {
		Verdict here = verdict(policy("a", 10, false), Outcome.ALLOWED, 9, 0);
		assertThat(fields(new Decision(true, Reason.STORE_UNAVAILABLE, Source.FALLBACK, List.of(here)))).isEmpty();
		Verdict denied = verdict(policy("a", 10, false), Outcome.REJECTED, 0, 1500);
		assertThat(fields(new Decision(false, Reason.LIMIT_EXCEEDED, Source.FALLBACK, List.of(denied))))
			.extracting(HeaderField::name)
			.contains("RateLimit", "RateLimit-Policy", "Retry-After");
	}

	@Test
	void aRequestOfWhichOnePhaseWasCountedHereAloneIsNotToldOfTheOther() {
		Verdict verdict = verdict(policy("a", 10, false), Outcome.ALLOWED, 9, 0);
		Decision early = new Decision(true, Reason.STORE_UNAVAILABLE, Source.FALLBACK, List.of(verdict));
		Decision late = new Decision(true, Reason.WITHIN_LIMITS, Source.REMOTE, List.of(verdict));
		assertThat(fields(early.then(late))).isEmpty();
		assertThat(fields(late.then(early))).isEmpty();
	}

	@Test
	void quotaBeyondStructuredFieldsIsCapped() {
		long most = 1_000_000_000_000_000L;
		Verdict verdict = verdict(policy("a", most, false), Outcome.ALLOWED, most, 0);
		assertThat(fields(decision(true, List.of(verdict))).subList(0, 2)).extracting(HeaderField::value)
			.allMatch((value) -> value.contains("=999999999999999") && !value.contains("1000000000000000"));
	}

	@Test
	void retryAfterForSlotIsOneSecond() {
		Policy policy = new Policy("a", "a", Limits.concurrent(2, Duration.ofMinutes(1)),
				Policy.Unit.CONCURRENT_REQUESTS, false);
		Verdict full = verdict(policy, Outcome.REJECTED, 0, 29_980);
		assertThat(value(fields(decision(false, List.of(full))), "Retry-After")).isEqualTo("1");
		Verdict empty = verdict(policy("b", 10, false), Outcome.REJECTED, 0, 5000);
		assertThat(value(fields(decision(false, List.of(full, empty))), "Retry-After")).isEqualTo("5");
	}

	@Test
	void windowBelowASecondIsLeftOut() {
		Verdict verdict = verdict(policy("a", 5, false), Outcome.ALLOWED, 4, 0);
		assertThat(value(fields(decision(true, List.of(verdict))), "RateLimit-Policy")).isEqualTo("\"a\";q=5");
	}

	@Test
	void retryAfterCoversTheLongestWait() {
		SplittableRandom random = new SplittableRandom(11);
		for (int run = 0; run < 2000; run++) {
			List<Verdict> verdicts = new ArrayList<>();
			for (int i = 0; i <= random.nextInt(4); i++) {
				verdicts.add(verdict(policy("p" + i, 10, false), Outcome.REJECTED, 0, random.nextLong(1, 5000)));
			}
			List<HeaderField> fields = fields(decision(false, verdicts));
			long retryAfter = Long.parseLong(value(fields, "Retry-After"));
			long longest = verdicts.stream().mapToLong(Verdict::retryAfterMillis).max().orElseThrow();
			assertThat(retryAfter * 1000).isGreaterThanOrEqualTo(longest).isLessThan(longest + 1000);
			assertThat(Long.parseLong(value(fields, "X-RateLimit-Reset")) * 1000).isGreaterThanOrEqualTo(NOW + longest);
			for (String item : value(fields, "RateLimit").split(", ")) {
				assertThat(Long.parseLong(item.substring(item.indexOf(";t=") + 3))).isBetween(1L, retryAfter);
			}
		}
	}

	private List<HeaderField> fields(Decision decision) {
		return this.headers.fields(decision, Map.of(), NOW, 0);
	}

	private static String value(List<HeaderField> fields, String name) {
		return fields.stream().filter((field) -> field.name().equals(name)).findFirst().orElseThrow().value();
	}

	private static Decision decision(boolean allowed, List<Verdict> verdicts) {
		return new Decision(allowed, (allowed) ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED, Source.LOCAL, verdicts);
	}

	private static Policy policy(String name, long quota, boolean shadow) {
		Limit limit = new Limit("token-bucket", quota, Duration.ofMillis(500), quota);
		return new Policy(name, name, limit, Policy.Unit.REQUESTS, shadow);
	}

	private static Verdict verdict(Policy policy, Outcome outcome, long remaining, long retryAfterMillis) {
		return new Verdict(policy, outcome, 1, remaining, retryAfterMillis, 100, 100);
	}

	private static Verdict measured(String name, String quotaRemainingCost) {
		String[] numbers = quotaRemainingCost.split(", ");
		return new Verdict(policy(name, Long.parseLong(numbers[0]), false), Outcome.ALLOWED, Long.parseLong(numbers[2]),
				Long.parseLong(numbers[1]), 0, 100, 100);
	}

	private static Verdict verdict(JsonNode node) {
		long quota = node.get("q").asLong();
		String name = node.get("name").asString();
		OptionalLong window = (node.get("w").isNull()) ? OptionalLong.empty() : OptionalLong.of(node.get("w").asLong());
		Policy.Unit unit = Policy.Unit.valueOf(node.get("unit").asString().replace('-', '_').toUpperCase(Locale.ROOT));
		Policy policy = new Policy(name, name,
				Optional.of(new Limit("token-bucket", quota, Duration.ofSeconds(1), quota)), window, unit, false);
		long retry = node.get("retry").asLong();
		return new Verdict(policy, (retry != 0) ? Outcome.REJECTED : Outcome.ALLOWED, 1, node.get("r").asLong(), retry,
				node.get("reset").asLong(), node.get("next").asLong());
	}

	private static Stream<JsonNode> stream(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false);
	}

}
