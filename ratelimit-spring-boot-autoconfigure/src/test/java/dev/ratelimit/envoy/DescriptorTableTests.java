package dev.ratelimit.envoy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import com.google.protobuf.ByteString;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitDescriptor;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the rules and subjects of descriptors.
 */
class DescriptorTableTests {

	private final List<Rule> rules = new ArrayList<>();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			path=/a           | exact      | global
			path=/b           | any        | entry:/b
			path=/files/1     | files      | entry:/files/1
			path=/files/a.pdf | documents  | entry:/files/a.pdf
			path=/files/.pdf  | documents  | entry:/files/.pdf
			path=/files/.pd   | files      | entry:/files/.pd
			path=             | any        | entry:
			other=/a          |            |
			path=/a;user=bob  | user       | entry:bob
			path=/b;user=bob  |            |
			user=bob;path=/a  |            |
			""")
	void exactValuesGoBeforeWildcardsAndWildcardsBeforeTheKey(String entries, String rule, String subject) {
		rule("exact", "path=/a");
		rule("any", "path");
		rule("files", "path=/files/*");
		rule("documents", "path=/files/*.pdf");
		rule("user", "path=/a", "user");
		assertThat(find("edge", entries)).isEqualTo((rule != null) ? rule + " " + subject : "");
		assertThat(find("core", entries)).isEmpty();
	}

	@Test
	void thereIsNoWayBackToAnotherEntry() {
		rule("specific", "path=/a", "user=alice");
		rule("any", "path", "user");
		assertThat(find("edge", "path=/a;user=alice")).startsWith("specific");
		assertThat(find("edge", "path=/a;user=bob")).as("as in Envoy's service").isEmpty();
		assertThat(find("edge", "path=/b;user=bob")).isEqualTo("any entry:/b|entry:bob");
	}

	@ParameterizedTest
	@CsvSource({ "*, anything, true", "*, '', true", "a*, a, true", "a*, b, false", "*a, ba, true", "a*a, a, false",
			"a*a, aa, true", "a*b*c, axbyc, true", "a*b*c, axcyb, false", "a**c, abc, true", "a*bc*c, abcc, true",
			"a*bc*c, abc, false", "*b*, abc, true", "*bb*, abc, false" })
	void anAsteriskStandsForAnyText(String pattern, String value, boolean matches) {
		rule("wild", "path=" + pattern);
		assertThat(!find("edge", "path=" + value).isEmpty()).isEqualTo(matches);
	}

	@Test
	void aLongValueTakesNoLongerWithManyAsterisks() {
		rule("wild", "path=" + "*a".repeat(40) + "*b");
		assertThat(find("edge", "path=" + "a".repeat(60_000))).isEmpty();
	}

	@Test
	void valuesOfAKeyThatOccursTwiceCountTogether() {
		rule("twice", "ip", "ip");
		assertThat(find("edge", "ip=1;ip=2")).isEqualTo("twice entry:1|entry:2");
	}

	@Test
	void aRuleThatIsOffHidesThoseThatWouldApplyWithoutIt() {
		rule("any", "path");
		this.rules
			.add(RuleBuilder.rule("exact").limits("10/min").descriptor("edge", "path=/a").mode(RuleMode.OFF).build());
		assertThat(find("edge", "path=/a")).isEmpty();
		assertThat(find("edge", "path=/b")).startsWith("any");
	}

	@Test
	void twoRulesWithEqualEntriesAreRejected() {
		rule("one", "path=/files/*", "user");
		rule("two", "path=/files/*", "user");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> find("edge", "path=/a"))
			.withMessage(
					"ratelimit.rules.two.descriptor = 'edge: path=/files/*, user': the rule 'one' has the same entries");
	}

	@Test
	void hitsAndCostsAreBounded() {
		rule("all", "path");
		DescriptorMatch match = match("edge", "path=/a", Long.MAX_VALUE);
		assertThat(match).isNotNull();
		assertThat(Objects.requireNonNull(match).units()).isEqualTo(1L << 40);
		assertThat(match.and(match).units()).isEqualTo(1L << 40);
	}

	private void rule(String id, String... entries) {
		this.rules.add(RuleBuilder.rule(id).limits("10/min").descriptor("edge", entries).build());
	}

	private String find(String domain, String entries) {
		DescriptorMatch match = match(domain, entries, 1);
		return (match != null) ? match.rule().id() + " " + match.subject().orElseThrow() : "";
	}

	private @Nullable DescriptorMatch match(String domain, String entries, long hits) {
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 1000));
		engine.editions().adopt(this.rules);
		RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
		for (String entry : entries.split(";")) {
			String[] parts = entry.split("=", 2);
			descriptor.addEntries(RateLimitDescriptor.Entry.newBuilder()
				.setKey(parts[0])
				.setValue(ByteString.copyFromUtf8(parts[1])));
		}
		return DescriptorTable.of(engine.editions().current().compiled().values())
			.find(domain, descriptor.build(), hits, false);
	}

}
