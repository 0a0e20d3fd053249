package dev.ratelimit.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.candidate.CandidateCounts;
import dev.ratelimit.candidate.CandidateDifference;
import dev.ratelimit.candidate.CandidateRules;
import dev.ratelimit.candidate.ChargedTrial;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that rules with form keys are evaluated after the other rules have allowed the
 * request.
 */
class FormRulesTests {

	private final RecordingStore store = new RecordingStore();

	private final RateLimitEngine engine = Engines.of(this.store);

	private final RequestGate gate = new RequestGate(this.engine,
			GateSettings.of(new Resolvers(Map.of(), Map.of(), Optional.empty()), new IdempotencyKeys(Set.of(), false),
					new ManagementPaths(() -> new ManagementPaths.Patterns(
							List.of(PathPatternParser.defaultInstance.parse("/manage/**")), List.of())),
					false));

	private final FakeRequest request = FakeRequest.of("POST", "/login").form("name", "alice");

	@Test
	void eachPartIsOneCallAndTheDecisionHoldsBoth() {
		use(rule("a", "form:name"), rule("b", "ip"), rule("c", "form:name"), rule("d", "ip"));
		RequestProgress first = enter();
		assertThat(this.store.calls).containsExactly(List.of("ip:192.0.2.1", "ip:192.0.2.1"));
		assertThat(this.request.isFormRead()).isFalse();
		RequestProgress both = this.gate.enterForm(RuleScope.LATE, this.request, first).join();
		assertThat(this.store.calls).hasSize(2).last().isEqualTo(List.of("form:alice", "form:alice"));
		assertThat(both.decision().verdicts()).extracting((verdict) -> verdict.policy().ruleId())
			.containsExactly("b", "d", "a", "c");
	}

	@Test
	void rejectedRequestLeavesTheFormUnread() {
		use(rule("a", "form:name"), rule("b", "ip"));
		enter();
		enter();
		assertThat(enter().allowed()).isFalse();
		assertThat(this.request.isFormRead()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "alice", "\u0001alice", "alice\u0000\u0008", " \u001fAlice\t", "al\u0131ce", "\u2003alice",
			"\uff41lice", "al\u00adice", "ali\u0000ce", "\u200balice", "\u3000\uff21LICE", "al\u200dice\ufeff",
			"alice\ufe00", "a\ufe0flice\ufe01", "al\u034fice", "alice\u180b", "alice\udb40\udd00", "\u3164alice" })
	void spellingsThatTheApplicationTrimsOrFoldsAreOneSubject(String name) {
		use(rule("a", "form:name"));
		enter(FakeRequest.of("POST", "/login").form("name", name));
		assertThat(this.store.calls).containsExactly(List.of("form:alice"));
	}

	// Many databases distinguish accents.
	@Test
	void accentsAreKeptAndComposed() {
		use(rule("a", "form:name"));
		enter(FakeRequest.of("POST", "/login").form("name", "Ren\u00c9"));
		enter(FakeRequest.of("POST", "/login").form("name", "rene\u0301"));
		enter(FakeRequest.of("POST", "/login").form("name", "rene\u00ad\u0301"));
		enter(FakeRequest.of("POST", "/login").form("name", "rene"));
		assertThat(this.store.calls).containsExactly(List.of("form:ren\u00e9"), List.of("form:ren\u00e9"),
				List.of("form:ren\u00e9"), List.of("form:rene"));
	}

	@Test
	void withoutAFormThereIsOneCall() {
		use(rule("a", "form:name"), rule("b", "ip"));
		FakeRequest without = FakeRequest.of("POST", "/login");
		RequestProgress reached = this.gate.enter(RuleScope.LATE, without, RequestProgress.START).join();
		assertThat(this.gate.readsForm(without, reached)).isFalse();
		assertThat(this.store.calls).containsExactly(List.of("form:~none", "ip:192.0.2.1"));
	}

	@Test
	void withoutARuleThatRequiresItNoFormIsRead() {
		use(rule("b", "ip"));
		assertThat(this.gate.readsForm(this.request, enter())).isFalse();
		use(rule("a", "form:name").paths("/other"), rule("b", "ip"));
		RequestProgress reached = enter();
		assertThat(this.gate.enterForm(RuleScope.LATE, this.request, reached).join()).isSameAs(reached);
		assertThat(this.store.calls).hasSize(2);
		assertThat(this.request.isFormRead()).isFalse();
	}

	@Test
	void aRuleThatDeniesTheAddressDoesNotRequireTheForm() {
		use(rule("a", "form:name").with(RuleOptions.DENY, List.of("192.0.2.0/24")));
		assertThat(enter().allowed()).isFalse();
		assertThat(this.request.isFormRead()).isFalse();
	}

	@Test
	void aRuleThatSkipsRequestsWithoutTheFieldSkipsNoneThatMayHaveIt() {
		use(rule("a", "form:name").onMissingKey(MissingKeyPolicy.SKIP));
		enter(FakeRequest.of("POST", "/login").form("other", "x"));
		assertThat(this.store.calls).isEmpty();
		enter(FakeRequest.of("POST", "/login?name=bob").form("other", "x"));
		enter(FakeRequest.of("POST", "/login?name=bob").form("name", "alice"));
		assertThat(this.store.calls).containsExactly(List.of("form:~none"), List.of("form:~none"));
		this.store.calls.clear();
		enter(FakeRequest.of("POST", "/login").form("other", "x").header("Name", "alice"));
		assertThat(this.store.calls).containsExactly(List.of("form:~none"));
	}

	@Test
	void formsOfARewrittenPathAreCountedAsTheNewPathSays() {
		use(rule("a", "form:name"));
		FakeRequest management = FakeRequest.of("POST", "/manage/x").form("name", "alice");
		RequestProgress exempt = this.gate.enter(RuleScope.LATE, management, RequestProgress.START).join();
		this.gate.enterForm(RuleScope.REWRITTEN, this.request, exempt).join();
		assertThat(this.store.calls).containsExactly(List.of("form:alice"));
		RequestProgress counted = enter();
		assertThat(this.gate.enterForm(RuleScope.REWRITTEN, management, counted).join()).isSameAs(counted);
	}

	@Test
	void aCandidateIsComparedInThePartOfItsRules() {
		use(rule("a", "form:name", "9/h"), rule("b", "ip", "9/h"), rule("c", "ip", "9/h"));
		CandidateCounts counts = compare(rule("a", "form:name", "1/h"), rule("b", "ip", "1/h"),
				rule("c", "form:name", "1/h"));
		assertThat(enter(this.request).decision().verdicts()).hasSize(3);
		assertThat(enter(this.request).decision().verdicts()).hasSize(3);
		for (String id : List.of("a", "b")) {
			assertThat(counts.count(id, CandidateDifference.SAME)).as(id).isOne();
			assertThat(counts.count(id, CandidateDifference.WOULD_REJECT)).as(id).isOne();
		}
		assertThat(counts.count("c", CandidateDifference.WOULD_REJECT)).isZero();
	}

	@Test
	void aCandidateAloneMayRequireTheForm() {
		use(rule("b", "ip", "9/h"));
		CandidateCounts counts = compare(rule("a", "form:name", "1/h"), rule("b", "ip", "9/h"));
		RequestProgress first = enter();
		assertThat(this.request.isFormRead()).isFalse();
		this.gate.enterForm(RuleScope.LATE, this.request, first).join();
		enter(this.request);
		assertThat(this.store.calls).containsExactly(List.of("ip:192.0.2.1"), List.of("ip:192.0.2.1"));
		assertThat(counts.count("a", CandidateDifference.WOULD_REJECT)).isOne();
	}

	private CandidateCounts compare(RuleBuilder... rules) {
		CandidateCounts counts = new CandidateCounts();
		this.engine.compareWith(new ChargedTrial(
				CandidateRules.of(this.engine.editions()
					.beside(RuleSet.of(7, Arrays.stream(rules).map(RuleBuilder::build).toList()), "~c7.")),
				counts, new MemoryLimitStore(1000, () -> 60_000_000_000L), Duration.ofSeconds(1), Time.SYSTEM));
		return counts;
	}

	private RequestProgress enter() {
		return this.gate.enter(RuleScope.LATE, this.request, RequestProgress.START).join();
	}

	private RequestProgress enter(FakeRequest other) {
		RequestProgress first = this.gate.enter(RuleScope.LATE, other, RequestProgress.START).join();
		return this.gate.enterForm(RuleScope.LATE, other, first).join();
	}

	private static RuleBuilder rule(String id, String key) {
		return rule(id, key, "2/h");
	}

	private static RuleBuilder rule(String id, String key, String limit) {
		return RuleBuilder.rule(id).limits(limit).key(key).paths("/login");
	}

	private void use(RuleBuilder... rules) {
		this.engine.editions().adopt(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
	}

	/**
	 * A store that records the subjects of each call.
	 */
	private static final class RecordingStore implements LimitStore {

		private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 60_000_000_000L);

		private final List<List<String>> calls = new ArrayList<>();

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			this.calls.add(demand.charges().stream().map((charge) -> charge.bucket().subject()).toList());
			return this.store.acquire(demand);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
