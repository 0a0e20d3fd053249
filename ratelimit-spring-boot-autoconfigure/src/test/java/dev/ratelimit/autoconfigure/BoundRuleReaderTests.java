package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundRuleReaderTests {

	private static final String LOCATION = "redis 13: rules.search";

	private final BoundRuleReader reader = new BoundRuleReader();

	@Test
	void entriesHaveTheWordsOfApplicationYml() {
		RuleDefinition read = read("""
				limits: [{limit: 10/s, burst: 20}, 100/min]
				except-paths: /a, /b
				onMissingKey: deny
				failure: LOCAL
				lease: 10s
				reserve: {critical: 20%, high: 5}
				key: [user, "header:X"]
				refund: {status: [401, 5xx]}
				programmatic: true
				plans: {free.tier: 1/min, Paid: {limit: 5/min, algorithm: gcra}}
				overrides: {acme.com: 7/min, "Acme Corp": {limit: 8/min, burst: 9}}
				""");
		assertThat(read.quota().limits()).extracting((limit) -> limit.limit()).containsExactly("10/s", "100/min");
		assertThat(read.quota().limits().get(0).burst()).hasValue(20);
		assertThat(read.quota().options().lease()).hasValue(Duration.ofSeconds(10));
		assertThat(read.options().find(RuleOptions.RESERVE).orElseThrow()).hasToString("critical: 20%, high: 5");
		assertThat(read.match().exceptPaths()).containsExactly("/a", "/b");
		assertThat(read.options().find(RuleOptions.FAILURE)).hasValue(FailurePolicy.LOCAL);
		assertThat(read.key()).containsExactly("user", "header:X");
		assertThat(read.plans()).containsOnlyKeys("free.tier", "Paid");
		assertThat(read.plans().get("Paid").algorithm()).hasValue("gcra");
		assertThat(read.overrides()).containsOnlyKeys("acme.com", "Acme Corp");
		assertThat(read.overrides().get("Acme Corp").burst()).hasValue(9);
		assertThat(read.match().programmatic()).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`', value = {
			"limt: 1/s~redis 13: rules.search.limt: this property does not exist; did you mean 'limit'?",
			"limit.x: 1/s~redis 13: rules.search.limit.x: this property does not exist",
			"li mit: 1/s~redis 13: rules.search.li mit: this property does not exist",
			"'<<': {limit: 1/s}~redis 13: rules.search.<<: this property does not exist",
			"plans: {free: {limt: 1/s}}~redis 13: rules.search.plans[free].limt: this property does not exist; did you mean 'plans[free].limit'?",
			"limits: [{limit: 1/s, x: y}]~redis 13: rules.search.limits[0].x: this property does not exist",
			"{except-paths: /a, exceptPaths: /b}~redis 13: rules.search.exceptpaths: it is there twice",
			"burst: many~redis 13: rules.search.burst = 'many': it is not a whole number",
			"reserve: {crit: 5}~redis 13: rules.search.reserve = '{crit=5}': there is no level 'crit'; the levels are"
					+ " critical, high, and normal",
			"lease: long~redis 13: rules.search.lease = 'long': it is not a duration such as 10s or 500ms",
			"mode: shadows~redis 13: rules.search.mode = 'shadows': it must be one of 'enforce', 'shadow', 'off'; did you mean 'shadow'?",
			"programmatic: maybe~redis 13: rules.search.programmatic = 'maybe': it must be 'true' or 'false'",
			"phase: auto~redis 13: rules.search.phase = 'auto': live rules cannot unset the phase",
			"programmatic: 'false'~redis 13: rules.search.programmatic = 'false': live rules cannot unset it",
			"locked: true~redis 13: rules.search.locked: live rules cannot lock rules",
			"paths: '/a/{id:[0-9]{1,3}}'~redis 13: rules.search.paths = '/a/{id:[0-9]{1,3}}': live rules must not",
			"except-paths: '/{*rest}/{x:(a+)+}'~redis 13: rules.search.except-paths = '/{*rest}/{x:(a+)+}': live",
			"{limit: 1/s, limits: [2/s]}~redis 13: rules.search.limits",
			"refund: {status: none}~redis 13: rules.search.refund.status" })
	void invalidEntryIsReportedWithSourceAndVersion(String text, String message) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> read(text))
			.withMessageStartingWith(message);
	}

	@Test
	void aColonInAPathIsNoRegularExpression() {
		assertThat(read("paths: '/v1/{id}/items:batch'").match().paths()).containsExactly("/v1/{id}/items:batch");
	}

	@Test
	void placeholdersAreNotResolved() {
		System.setProperty("ratelimit-test-secret", "tops3cret");
		try {
			assertThat(read("bucket: ${ratelimit-test-secret}").options().find(RuleOptions.BUCKET))
				.hasValue("${ratelimit-test-secret}");
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> read("burst: ${ratelimit-test-secret}"))
				.satisfies((ex) -> assertThat(String.valueOf(ex) + ex.value()).contains("${ratelimit-test-secret}")
					.doesNotContain("tops3cret"));
		}
		finally {
			System.clearProperty("ratelimit-test-secret");
		}
	}

	private RuleDefinition read(String text) {
		return this.reader.read(LOCATION, RuleText.definition(text));
	}

}
