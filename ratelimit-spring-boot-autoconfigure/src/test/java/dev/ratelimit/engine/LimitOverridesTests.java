package dev.ratelimit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LimitOverridesTests {

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, this.clock::get));

	@Test
	void aValueOfTheKeyHasLimitsOfItsOwn() {
		use(rule().override("acme", "100/min").override("evil", "0/min").override("ours", "unlimited"));
		assertThat(remaining("user:acme")).isEqualTo(99);
		assertThat(remaining("user:other")).isEqualTo(9);
		assertThat(remaining("ip:acme")).isEqualTo(9);
		assertThat(acquire("user:evil").allowed()).isFalse();
		assertThat(acquire("user:ours").verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.UNLIMITED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "user;user:acme", "ip, claim:tenant;ip:1.2.3.4|claim:acme",
			"route, ip, path:tenant;route:/a|ip:1.1.1.1|path:acme", "header:X, user;header:acme|user:bob" })
	void theFirstPartThatIdentifiesAClientCounts(String key, String subject) {
		use(rule().key(key.split(", ")).override("acme", "100/min"));
		assertThat(remaining(subject)).isEqualTo(99);
		assertThat(remaining(subject.replace("acme", "other"))).isEqualTo(9);
		assertThat(remaining("global")).isEqualTo(9);
	}

	@Test
	void aValueIsWrittenAsItIs() {
		use(rule().override("Acme Corp|100%", "100/min"));
		assertThat(remaining(Subjects.part("user", "Acme Corp|100%"))).isEqualTo(99);
	}

	@Test
	void aFieldOfAFormIsComparedAsNames() {
		use(rule().key("form:account").override("Bob", "100/min"));
		assertThat(remaining("form:bob")).isEqualTo(99);
	}

	@ParameterizedTest
	@CsvSource({ "form:account, Bob, bob", "path:tenant, 007, 7" })
	void valuesThatTheKeyDoesNotDistinguishAreRejected(String key, String first, String second) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> use(rule().key(key).override(first, "100/min").override(second, "0/min")))
			.withMessageContaining(".overrides")
			.withMessageContaining("the key does not distinguish it from");
	}

	@Test
	void longValuesBesideItHideNoOverride() {
		use(rule().key("path:tenant", "header:A", "header:B").override("acme", "100/min"));
		String hostile = " ".repeat(128);
		assertThat(remaining(Subjects.join(List.of(Subjects.part("path", "acme"), Subjects.part("header", hostile),
				Subjects.part("header", hostile)))))
			.isEqualTo(99);
	}

	@Test
	void manyLongValuesHideNeitherAnOverrideNorAUser() {
		String name = "n".repeat(100);
		use(rule().key("path:tenant", "user", "header:A", "header:B", "header:C", "header:D", "header:E", "header:F")
			.override(name, "100/min"));
		for (int length : new int[] { 1, 60, 128, 129 }) {
			String value = Subjects.part("header", "x".repeat(length));
			String subject = Subjects.join(List.of(Subjects.part("path", name), Subjects.part("user", "u".repeat(100)),
					value, value, value, value, value, value));
			assertThat(subject).startsWith("path:").contains("|user:");
			assertThat(remaining(subject)).as("%d", length).isEqualTo(99);
		}
	}

	@Test
	void usageIsKeptWhenOverrideChanges() {
		use(rule());
		remaining("user:acme");
		remaining("user:acme");
		use(rule().override("acme", "100/min"));
		assertThat(remaining("user:acme")).as("2 used before").isEqualTo(97);
		for (int i = 0; i < 4; i++) {
			remaining("user:acme");
		}
		use(rule().override("acme", "20/min"));
		assertThat(remaining("user:acme")).as("7 used before").isEqualTo(12);
		use(rule());
		assertThat(remaining("user:acme")).as("8 used before").isEqualTo(1);
		assertThat(remaining("user:acme")).isZero();
		assertThat(acquire("user:acme").allowed()).isFalse();
		assertThat(remaining("user:other")).isEqualTo(9);
	}

	@Test
	void afterItsEndAPlanCountsAgain() {
		use(rule().plan("paid", "50/min").override("acme", "100/min"));
		use(rule().plan("paid", "50/min"));
		assertThat(capacity("user:acme", "paid")).isEqualTo(50);
	}

	@Test
	void anOverrideComesBeforeThePlanAndThePlanBeforeTheRule() {
		use(rule().plan("paid", "50/min").override("acme", "100/min"));
		assertThat(capacity("user:acme", "paid")).isEqualTo(100);
		assertThat(capacity("user:other", "paid")).isEqualTo(50);
		assertThat(capacity("user:other", "unknown")).isEqualTo(10);
	}

	@Test
	void aResetFreesTheBucketsOfAnOverride() {
		use(rule().override("acme", "100/min"));
		remaining("user:acme");
		this.engine.reset("search", "user:acme").join();
		assertThat(remaining("user:acme")).isEqualTo(99);
	}

	private long capacity(String subject, String plan) {
		return this.engine.rule("search").orElseThrow().limits(subject, Optional.of(plan)).capacity();
	}

	private void use(RuleBuilder rule) {
		this.engine.editions().adopt(List.of(rule.build()));
	}

	private static RuleBuilder rule() {
		return RuleBuilder.rule("search").key("user").limits("10/min");
	}

	private long remaining(String subject) {
		return acquire(subject).verdicts().get(0).remaining();
	}

	private Decision acquire(String subject) {
		return this.engine.acquire("search", subject).blockOptional().orElseThrow();
	}

}
