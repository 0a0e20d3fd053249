package dev.ratelimit.live;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.store.Upkeep;
import dev.ratelimit.test.etcd.EtcdTest;
import dev.ratelimit.test.etcd.TestEtcd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests rules in one etcd, with a separate prefix for each test.
 */
@EtcdTest
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class EtcdRuleSourceTests extends RuleSourceContract {

	private static Optional<TestEtcd> etcd = Optional.empty();

	private static int tests;

	private final Upkeep upkeep = new Upkeep();

	private final String prefix = "/ratelimit-" + ++tests + "/";

	private RuleSource source = source(List.of(URI.create("http://127.0.0.1:1")));

	@BeforeAll
	static void startEtcd() {
		etcd = Optional.of(TestEtcd.start(1));
	}

	@AfterAll
	static void stopEtcd() {
		etcd.ifPresent(TestEtcd::close);
	}

	@BeforeEach
	void create() {
		this.source = source(etcd().endpoints());
	}

	private RuleSource source(List<URI> endpoints) {
		return new EtcdRuleSource(new EtcdSettings(endpoints, this.prefix, Optional.empty(), Optional.empty()),
				this.upkeep);
	}

	@AfterEach
	void end() {
		this.upkeep.close();
	}

	private static TestEtcd etcd() {
		return etcd.orElseThrow();
	}

	@Override
	protected RuleSource source() {
		return this.source;
	}

	@Override
	protected void put(String text) {
		etcd().replace(this.prefix + "rules/", values(text));
	}

	// Write a text that is not a document without changes.
	private Map<String, String> values(String text) {
		Map<String, String> values = new LinkedHashMap<>();
		try {
			RuleText.document(text)
				.forEach((id, entry) -> values.put(this.prefix + "rules/" + id, RuleText.ofDefinition(asMap(entry))));
		}
		catch (IllegalArgumentException ex) {
			values.put(this.prefix + "rules/a", text.replaceFirst("rules: ", ""));
		}
		return values;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> asMap(Object entry) {
		return (Map<String, Object>) entry;
	}

	@Override
	protected void remove() {
		etcd().replace(this.prefix + "rules/", Map.of());
	}

	// After all rules are deleted one by one, the document is empty.
	@Test
	@Override
	protected void aDocumentThatVanishesIsAbsentUntilItReturns() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument before = this.log.document();
		remove();
		RuleDocument empty = this.log.document();
		assertThat(empty.rules()).isEmpty();
		assertThat(empty.version()).isGreaterThan(before.version());
		put("rules: {a: {limit: 1/s}}");
		RuleDocument after = this.log.document();
		assertThat(after.digest()).isEqualTo(before.digest());
		assertThat(after.version()).isGreaterThan(empty.version());
	}

	@Test
	void otherKeysAreNoChange() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		this.log.document();
		etcd().replace(this.prefix + "other/", Map.of(this.prefix + "other/key", "x"));
		this.log.nothingNewFor(Duration.ofMillis(1200));
	}

	@Test
	void aRuleIsYamlAsInTheConfiguration() throws Exception {
		etcd().replace(this.prefix + "rules/",
				Map.of(this.prefix + "rules/search", "limits: [10/s, 100/min]\nplans:\n  acme.com: {limit: 5/s}\n"));
		source().start(this.log);
		assertThat(this.log.document().rules()).isEqualTo(Map.of("search",
				Map.of("limits", List.of("10/s", "100/min"), "plans", Map.of("acme.com", Map.of("limit", "5/s")))));
	}

	@Test
	void invalidEntryNamesItsRule() throws Exception {
		etcd().replace(this.prefix + "rules/",
				Map.of(this.prefix + "rules/a", "limit: 1/s", this.prefix + "rules/b", "limit: [1/s"));
		source().start(this.log);
		assertThat(this.log.await("invalid")).startsWith("invalid: rules.b: line ");
	}

	@Test
	void aNameThatIsNoIdIsNotShown() throws Exception {
		etcd().replace(this.prefix + "rules/", Map.of(this.prefix + "rules/<b>", ""));
		source().start(this.log);
		assertThat(this.log.await("invalid")).isEqualTo("invalid: a rule: the text is empty");
	}

	@Test
	void anEtcdThatIsNotThereFails() throws Exception {
		this.source = source(List.of(URI.create("http://127.0.0.1:1")));
		source().start(this.log);
		assertThat(this.log.await("failed")).isEqualTo("failed: no connection");
	}

}
