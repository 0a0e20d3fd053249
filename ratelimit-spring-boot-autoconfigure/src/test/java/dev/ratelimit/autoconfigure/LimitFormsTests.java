package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.RateLimited;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.WrittenRule;
import dev.ratelimit.web.HandlerKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a text and the equivalent properties define the same limit, in any location.
 */
class LimitFormsTests {

	private static final RuleDefinition DEFAULTS = new DefaultsProperties(List.of(), "sliding-window", null, null, null,
			null, null, null)
		.definition();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			limit: 20/min burst 30, algorithm: gcra    | limit: 20/min, burst: 30, algorithm: gcra
			limit: 20 concurrent                       | limit: 20, algorithm: concurrency
			limit: 20 concurrent, lease: 10s           | limit: 20, algorithm: concurrency, lease: 10s
			limit: 1000/day Europe/Paris               | limit: 1000/d, zone: Europe/Paris, algorithm: fixed-window
			limit: 1000/month, zone: UTC               | limit: 1000/month, zone: UTC, algorithm: fixed-window
			limit: 5/week UTC, zone: UTC               | limit: 5/week, zone: UTC, algorithm: fixed-window
			limit: 7/hour                              | limit: 7/h, algorithm: sliding-window
			limits: [5/h UTC, 9 concurrent]            | limits: [{limit: 5/h, zone: UTC, algorithm: fixed-window}, \
			{limit: 9, algorithm: concurrency}]
			limits: [5/h, 9/d], zone: UTC              | limits: [5/h, 9/d], zone: UTC, algorithm: fixed-window
			limit: 1/s, plans: {pro: 9 concurrent}     | limit: 1/s, plans: {pro: {limit: 9, algorithm: concurrency}}
			limit: 1/d UTC, plans: {pro: 9/day}        | limit: 1/d UTC, plans: {pro: 9/d UTC}
			limit: 1/d UTC, overrides: {ann: 9/week}   | limit: 1/d UTC, overrides: {ann: 9/week UTC}
			limit: 9 concurrent, overrides: {ann: 20}  | limit: 9 concurrent, overrides: {ann: 20 concurrent}
			limit: 1/s, algorithm: gcra, overrides: {a: 2/min burst 9, "b.c": unlimited} \
			| limit: 1/s, algorithm: gcra, overrides: {a: {limit: 2/min, burst: 9}, "b.c": unlimited}
			""")
	void aTextStandsForItsProperties(String text, String properties) {
		assertThat(rule(text).numbers()).isEqualTo(rule(properties).numbers());
		assertThat(RuleSet.of(1, List.of(rule(text))).digest())
			.isEqualTo(RuleSet.of(1, List.of(rule(properties))).digest());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			limit: 20/min burst 30, burst: 40              | .burst     | already sets 'burst' to '30'
			limit: 20 concurrent, algorithm: gcra          | .algorithm | already sets 'algorithm' to 'concurrency'
			limit: 1/d Europe/Paris, zone: UTC             | .zone      | already sets 'zone' to 'Europe/Paris'
			limit: 1/d UTC, algorithm: sliding-log         | .algorithm | already sets 'algorithm' to 'fixed-window'
			limits: [1/s, {limit: 2/min burst 3, burst: 4}] | .limits[1].burst | already sets 'burst'
			limit: 1/s, plans: {pro: {limit: 9 concurrent, algorithm: gcra}} | .plans.pro.algorithm | already sets
			limit: 1/s, overrides: {a: {limit: 9/d UTC, zone: Asia/Tokyo}} | .overrides[a].zone | already sets 'zone'
			limit: 1/d UTC, burst: 5                       | .limit     | fixed-window does not support 'burst'
			limit: 20 concurrent, zone: UTC                | .limit     | only fixed-window supports 'zone'
			limit: 1/min UTC                               | .limit     | 'min' is not a calendar unit
			limit: 1/day Europe/Pairs                      | .limit     | 'Europe/Pairs' is not a time zone
			limit: 1/month                                 | .limit     | a month requires a time zone
			limit: 20/min burst 30 UTC                     | .limit     | is not a period; use a limit such as
			limit: 20/min burst 0                          | .limit     | the burst must be at least 1
			""")
	void rejectsWhatContradictsTheText(String text, String property, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> rule(text))
			.satisfies((failure) -> assertThat(failure.location()).endsWith(property))
			.satisfies((failure) -> assertThat(failure.reason()).contains(reason));
	}

	@Test
	void annotationsHaveTheSameTexts() throws NoSuchMethodException {
		Map<String, WrittenRule> written = AnnotatedRules
			.of(Stream.of("burst", "day", "several").map(LimitFormsTests::handler).toList())
			.definitions();
		assertThat(written.get("burst").definition()).isEqualTo(read("{limit: 20/min, burst: 30}"));
		assertThat(written.get("day").definition()).isEqualTo(read("{limit: 9/day, zone: UTC}"));
		assertThat(RuleLayers.inCode("several", written.get("several").definition()).limits())
			.extracting(Limit::algorithm)
			.containsExactly("token-bucket", "concurrency");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> AnnotatedRules.of(List.of(handler("twice"))))
			.withMessageContaining("@RateLimited on ")
			.withMessageContaining("the text of the limit already sets 'burst' to '30'");
	}

	@Test
	void aLayerReplacesTheTextAndKeepsHowToCount() {
		RuleDefinition base = read("{paths: /a, limit: 1000/day Europe/Paris}");
		assertThat(layered(base, "{limit: 2000/day}")).isEqualTo(rule("limit: 2000/day Europe/Paris").limits());
		assertThat(layered(base, "{limit: 10/min, algorithm: gcra}"))
			.isEqualTo(rule("limit: 10/min, algorithm: gcra").limits());
		assertThat(layered(base, "{limit: 20 concurrent}")).isEqualTo(rule("limit: 20 concurrent").limits());
		assertThat(layered(base, "{zone: UTC}")).isEqualTo(rule("limit: 1000/day UTC").limits());
		RuleDefinition burst = read("{paths: /a, limit: 20/min burst 30}");
		assertThat(layered(burst, "{burst: 50}"))
			.isEqualTo(rule("limit: 20/min burst 50, algorithm: token-bucket").limits());
		assertThat(layered(burst, "{limit: 25/min}"))
			.isEqualTo(rule("limit: 25/min, algorithm: token-bucket").limits());
	}

	private static List<Limit> layered(RuleDefinition base, String above) {
		RuleLayers layers = new RuleLayers(RuleDefinition.EMPTY,
				List.of(new RuleLayer(Origin.Kind.ANNOTATION, Map.of("it", new WrittenRule("@RateLimited", base))),
						new RuleLayer(Origin.Kind.PROPERTY, Map.of("it", new WrittenRule("it", read(above))))));
		return layers.rules((warning) -> {
		}).get(0).limits();
	}

	private static Rule rule(String properties) {
		return RuleLayers.inCode("it", read("{paths: /a, " + properties + "}").over(DEFAULTS));
	}

	private static RuleDefinition read(String properties) {
		return new BoundRuleReader().read("memory: rules.it", RuleText.definition(properties));
	}

	private static AnnotatedMethod handler(String name) {
		return Stream.of(Handlers.class.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.map((method) -> new HandlerKey(Handlers.class, method))
			.orElseThrow();
	}

	static class Handlers {

		@RateLimited(value = "20/min burst 30", id = "burst")
		void burst() {
		}

		@RateLimited(value = "9/day UTC", id = "day")
		void day() {
		}

		@RateLimited(value = { "20/min burst 30", "5 concurrent" }, id = "several")
		void several() {
		}

		@RateLimited(value = "20/min burst 30", burst = 40)
		void twice() {
		}

	}

}
