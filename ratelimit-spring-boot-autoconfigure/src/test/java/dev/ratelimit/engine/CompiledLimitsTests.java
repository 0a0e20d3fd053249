package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Reservation;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.rule.Ramp;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests limits by plan, rules without limits, and rules that share buckets.
 */
class CompiledLimitsTests {

	private final MemoryLimitStore store = new MemoryLimitStore(1000, () -> 60_000_000_000L);

	private final List<Decision> told = new ArrayList<>();

	private final RateLimitEngine engine = Engines.of(this.store, Duration.ofSeconds(1),
			List.of((decision, tookNanos) -> this.told.add(decision)));

	@Test
	void eachPlanHasBucketsOfItsOwn() {
		use(RuleBuilder.rule("api").limits("10/h").plan("paid", "10/h").plan("team", "10/h"));
		decide(use("api", "paid", 4));
		decide(use("api", "paid", 3));
		assertThat(left("api", "paid")).isEqualTo(3);
		assertThat(left("api", "team")).isEqualTo(10);
		assertThat(left("api", "")).isEqualTo(10);
		assertThat(labels("api")).doesNotHaveDuplicates().hasSize(3).anyMatch((label) -> label.startsWith("api.paid."));
	}

	@Test
	void aRetryIsUnderWayLikeAnyOtherRequest() {
		use(RuleBuilder.rule("orders").limits("2").algorithm("concurrency").idempotency(),
				RuleBuilder.rule("paid").limits("2/h").idempotency());
		List<AppliedRule> uses = List.of(use("orders", "", 1), use("paid", "", 1));
		Optional<RetryKey> key = Optional.of(new RetryKey("k", "POST /orders"));
		for (int i = 0; i < 2; i++) {
			assertThat(this.engine.decide(uses, key, 1_000_000_000).join().allowed()).isTrue();
		}
		assertThat(left("paid", "")).isEqualTo(1);
		assertThat(left("orders", "")).isZero();
		assertThat(this.engine.decide(uses, key, 1_000_000_000).join().allowed()).isFalse();
	}

	@Test
	void aPlanMeansNothingToAnotherRuleUnlessTheyShareTheirBucket() {
		use(RuleBuilder.rule("a").limits("10/h").plan("paid", "20/h"),
				RuleBuilder.rule("b").limits("10/h").plan("paid", "20/h"),
				RuleBuilder.rule("c").limits("10/h").plan("paid", "20/h").bucket("both"),
				RuleBuilder.rule("d").limits("10/h").plan("paid", "20/h").bucket("both"));
		decide(use("a", "paid", 5));
		decide(use("c", "paid", 5));
		assertThat(left("a", "paid")).isEqualTo(15);
		assertThat(left("b", "paid")).isEqualTo(20);
		assertThat(left("d", "paid")).isEqualTo(15);
		assertThat(left("d", "")).isEqualTo(10);
	}

	@Test
	void aRuleOfOnesNameAndABucketOfThatNameAreTwo() {
		use(RuleBuilder.rule("x").limits("10/h"), RuleBuilder.rule("y").limits("10/h").bucket("x"));
		decide(use("x", "", 5));
		assertThat(left("y", "")).isEqualTo(10);
	}

	@Test
	void resetStartsTheBucketsOfAllPlansAfresh() {
		use(RuleBuilder.rule("api").limits("10/h").plan("paid", "20/h", "50/d").plan("free", "unlimited"));
		decide(use("api", "", 5));
		decide(use("api", "paid", 5));
		this.engine.reset("api", "user:a").join();
		assertThat(left("api", "")).isEqualTo(10);
		assertThat(decide(use("api", "paid", 0)).verdicts()).extracting(Verdict::remaining).containsExactly(20L, 50L);
		assertThat(this.store.size()).isZero();
	}

	@Test
	void unlimitedRuleCallsNoStoreAndNotifiesListeners() {
		use(RuleBuilder.rule("free").limits("unlimited"));
		Decision decision = decide(use("free", "", 7));
		assertThat(decision).isEqualTo(new Decision(true, Reason.WITHIN_LIMITS, Source.LOCAL, decision.verdicts()));
		assertThat(decision.verdicts()).extracting(Verdict::outcome, Verdict::cost)
			.containsExactly(Tuple.tuple(Outcome.UNLIMITED, 7L));
		assertThat(decision.reservation()).isSameAs(Reservation.NONE);
		assertThat(this.told).containsExactly(decision);
		assertThat(this.store.size()).isZero();
	}

	@Test
	void aLimitOfNothingRejectsForGoodAndChargesNobodyElse() {
		use(RuleBuilder.rule("none").limits("0/min"), RuleBuilder.rule("some").limits("10/h"),
				RuleBuilder.rule("free").limits("unlimited"));
		Decision rejected = decide(use("some", "", 1), use("none", "", 1), use("free", "", 1));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.reason()).isEqualTo(Reason.BLOCKED);
		assertThat(rejected.verdicts()).extracting(Verdict::outcome, Verdict::retryAfterMillis)
			.containsExactly(Tuple.tuple(Outcome.BLOCKED, Wait.NEVER), Tuple.tuple(Outcome.UNLIMITED, 0L));
		assertThat(left("some", "")).isEqualTo(10);
	}

	@Test
	void aLimitOfNothingRejectsWhatCostsNothingToo() {
		use(RuleBuilder.rule("none").limits("0/min"), RuleBuilder.rule("some").limits("10/h"));
		Decision rejected = decide(use("none", "", 0), use("some", "", 1));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.reason()).isEqualTo(Reason.BLOCKED);
		assertThat(left("some", "")).isEqualTo(10);
		Decision look = this.engine.peek("none", "ip:192.0.2.1").block();
		assertThat(look.allowed()).as("a look").isFalse();
		assertThat(look.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.BLOCKED);
	}

	@Test
	void unlimitedAndLimitedRulesAreDecidedTogether() {
		use(RuleBuilder.rule("free").limits("unlimited"), RuleBuilder.rule("some").limits("2/h"));
		Decision decision = decide(use("free", "", 1), use("some", "", 2));
		assertThat(decision.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.ALLOWED, Outcome.UNLIMITED);
		assertThat(decide(use("free", "", 1), use("some", "", 1)).allowed()).isFalse();
		decision.reservation().settle("some", 1);
		decision.reservation().settle("free", 0);
		assertThat(left("some", "")).isEqualTo(1);
	}

	@Test
	void shadowRuleWithLimitOfZeroRejectsNoRequest() {
		use(RuleBuilder.rule("none").limits("0/min").mode(RuleMode.SHADOW), RuleBuilder.rule("some").limits("2/h"),
				RuleBuilder.rule("free").limits("unlimited").mode(RuleMode.SHADOW));
		Decision decision = decide(use("none", "", 1), use("some", "", 1), use("free", "", 1));
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.ALLOWED, Outcome.SHADOW_REJECTED, Outcome.UNLIMITED);
		assertThat(left("some", "")).isEqualTo(1);
	}

	@Test
	void aRuleThatWatchesDoesNotStandInForOneThatDoesNot() {
		use(RuleBuilder.rule("a").limits("4/h").bucket("both"),
				RuleBuilder.rule("b").limits("4/h").bucket("both").mode(RuleMode.SHADOW));
		for (int i = 0; i < 2; i++) {
			assertThat(decide(use("a", "", 1), use("b", "", 3)).allowed()).isTrue();
			assertThat(decide(use("b", "", 3), use("a", "", 1)).allowed()).isTrue();
		}
		assertThat(decide(use("a", "", 1), use("b", "", 3)).allowed()).isFalse();
		assertThat(decide(use("b", "", 3), use("a", "", 1)).allowed()).isFalse();
	}

	@Test
	void aChargeForSeveralRulesIsAsStrictAsTheStrictestOfThem() {
		use(RuleBuilder.rule("a").limits("9/h").bucket("both").idempotency(),
				RuleBuilder.rule("b").limits("9/h").bucket("both").failure(FailurePolicy.CLOSED));
		AppliedRule open = use("a", "", 3);
		AppliedRule closed = use("b", "", 1);
		for (List<AppliedRule> uses : List.of(List.of(open, closed), List.of(closed, open))) {
			assertThat(Charges.of(uses)).extracting(Charge::cost, Charge::failure, Charge::replayable)
				.containsExactly(Tuple.tuple(3L, FailurePolicy.CLOSED, false));
		}
	}

	@Test
	void aRampRejectsItsShareOfSubjectsAndCountsTheOthers() {
		use(RuleBuilder.rule("api").limits("2/h").with(RuleOptions.ENFORCE, Ramp.parse("25%")));
		int rejected = 0;
		for (int i = 0; i < 400; i++) {
			String subject = "user:" + i;
			boolean enforced = Ramp.parse("25%").enforces(Ramp.seed("api"), subject);
			assertThat(this.engine.acquireBlocking("api", subject, 2).allowed()).isTrue();
			Decision second = this.engine.acquireBlocking("api", subject);
			assertThat(second.allowed()).isNotEqualTo(enforced);
			assertThat(second.verdicts()).extracting(Verdict::outcome)
				.containsExactly((enforced) ? Outcome.REJECTED : Outcome.SHADOW_REJECTED);
			rejected += (enforced) ? 1 : 0;
		}
		assertThat(rejected).isBetween(60, 140);
	}

	@Test
	void aLargerRampKeepsWhatIsUsedAndCompilesNothing() {
		use(RuleBuilder.rule("api").limits("2/h").with(RuleOptions.ENFORCE, Ramp.parse("0%")));
		List<BucketFamily> families = this.engine.rule("api").orElseThrow().families();
		this.engine.acquireBlocking("api", "user:a", 2);
		use(RuleBuilder.rule("api").limits("2/h"));
		assertThat(this.engine.acquireBlocking("api", "user:a").allowed()).isFalse();
		assertThat(this.engine.rule("api").orElseThrow().families()).isEqualTo(families);
	}

	@Test
	void theRuleOfASubjectIsThereAlready() {
		use(RuleBuilder.rule("api").limits("2/h").with(RuleOptions.ENFORCE, Ramp.parse("50%")));
		CompiledRule rule = this.engine.rule("api").orElseThrow();
		for (int i = 0; i < 20; i++) {
			CompiledRule applied = rule.of("user:" + i);
			assertThat(applied).isSameAs(rule.of("user:" + i));
			assertThat(applied.rule().reaction().mode())
				.isEqualTo((applied == rule) ? RuleMode.ENFORCE : RuleMode.SHADOW);
			assertThat(applied.families()).extracting(BucketFamily::label)
				.isEqualTo(rule.families().stream().map(BucketFamily::label).toList());
			assertThat(applied.terms().stance().rejects()).isEqualTo(applied == rule);
		}
	}

	@Test
	void aRampedRuleNeedsTheScriptsOfBothModes() {
		use(RuleBuilder.rule("api").limits("2/h").with(RuleOptions.ENFORCE, Ramp.parse("50%")));
		assertThat(this.engine.rule("api").orElseThrow().scripts()).extracting(ScriptUse::shadow)
			.containsExactlyInAnyOrder(true, false);
	}

	private void use(RuleBuilder... rules) {
		this.engine.editions().adopt(Arrays.stream(rules).map(RuleBuilder::build).toList());
	}

	private AppliedRule use(String rule, String plan, long cost) {
		CompiledRule found = this.engine.rule(rule).orElseThrow();
		CompiledLimits limits = found.limits("user:a", Optional.of(plan).filter((name) -> !name.isEmpty()));
		return new AppliedRule(found, limits, "user:a", cost);
	}

	private Decision decide(AppliedRule... uses) {
		return this.engine.decide(List.of(uses), Optional.empty(), 1_000_000_000).join();
	}

	private long left(String rule, String plan) {
		return decide(use(rule, plan, 0)).verdicts().get(0).remaining();
	}

	private List<String> labels(String rule) {
		return this.engine.rule(rule).orElseThrow().families().stream().map((family) -> family.label()).toList();
	}

}
