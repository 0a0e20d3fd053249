package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.BanKind;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Decision;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.engine.Ticket;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.Reserve;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.Waiting;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests queues of waiting requests with a manual clock.
 */
class FairWaitQueuesTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private final Clock clock = new Clock();

	private final Store store = new Store(new MemoryLimitStore(1000, () -> this.clock.nanos / MILLI));

	private final List<Decision> told = new ArrayList<>();

	private final List<EndedWait.End> ends = new ArrayList<>();

	private final Set<String> rejected = new HashSet<>();

	private final Editions editions = new Editions(() -> this.clock.nanos);

	private int instances = 1;

	private final FairWaitQueueFactory factory = new FairWaitQueueFactory(
			new WaitSettings(1000, () -> this.instances, this.clock::once, () -> 0.5));

	private final RateLimitEngine engine = new RateLimitEngine(this.editions, this.store,
			StoreDeadlines.of(Duration.ofMillis(50)), "secret", IdempotencySettings.DEFAULT,
			new DecisionObservers(List.of((decision, tookNanos) -> this.told.add(decision)), List.of()),
			() -> this.clock.nanos, this.factory);

	@BeforeEach
	void followTheWaits() {
		this.factory.addFollower((wait) -> this.ends.add(wait.end()));
	}

	@Test
	void earlyRequestWaits() {
		adopt(rule("search", "10/s").burst(1));
		Ticket first = enter("a");
		Ticket second = enter("a");
		Ticket third = enter("a");
		assertThat(decision(first).allowed()).isTrue();
		assertThat(second.result()).isNotDone();
		assertThat(this.engine.queues().waiting()).isEqualTo(2);
		this.clock.advance(115);
		assertThat(decision(second).allowed()).isTrue();
		assertThat(third.result()).isNotDone();
		this.clock.advance(115);
		assertThat(decision(third).allowed()).isTrue();
		assertThat(second.waitedNanos()).isBetween(100 * MILLI, 111 * MILLI);
		assertThat(this.engine.queues().waiting()).isZero();
		assertThat(this.told).hasSize(3).allMatch(Decision::allowed);
		assertThat(this.ends).containsExactly(EndedWait.End.ALLOWED, EndedWait.End.ALLOWED);
	}

	@Test
	void theTimersOfARuleThatIsGoneAreRemoved() {
		MeterRegistry meters = new SimpleMeterRegistry();
		new WaitMetrics(this.factory, () -> 0, this.editions).bindTo(meters);
		for (int i = 1; i <= 2; i++) {
			adopt(rule("search", "10/s").burst(1));
			enter("a");
			enter("a");
			this.clock.advance(115);
			assertThat(meters.get("ratelimit.queue.wait").tags("rule", "search").timer().count()).isPositive();
			adopt(rule("other", "10/s"));
			assertThat(meters.find("ratelimit.queue.wait").meters()).isEmpty();
			this.clock.advance(1000);
		}
	}

	@Test
	void aLaterPhaseHasWhatIsLeftOfTheDeadline() {
		adopt(rule("search", "10/s").burst(1));
		WaitRequest first = request("a", "a", "search");
		enter(new WaitRequest(first.applied(), first.retry(), first.flow(), first.maxNanos(), 30 * MILLI,
				first.places()));
		assertThat(this.store.deadlineNanos - this.clock.nanos).isEqualTo(20 * MILLI);
	}

	@Test
	void aFreeRetryDoesNotWait() {
		adopt(rule("search", "10/s").burst(1).with(RuleOptions.IDEMPOTENCY, true));
		assertThat(decision(enter(retry("first"))).allowed()).isTrue();
		Ticket waiting = enter("a");
		assertThat(decision(enter(retry("first"))).verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REPLAYED);
		Ticket other = enter(retry("other"));
		assertThat(waiting.result()).isNotDone();
		assertThat(other.result()).isNotDone();
		this.clock.advance(115);
		assertThat(decision(waiting).allowed()).isTrue();
		assertThat(other.result()).isNotDone();
		this.clock.advance(115);
		assertThat(decision(other).verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.ALLOWED);
		// The default is three free retries.
		for (int i = 0; i < 2; i++) {
			assertThat(decision(enter(retry("first"))).allowed()).isTrue();
		}
		enter("a");
		assertThat(enter(retry("first")).result()).isNotDone();
	}

	@Test
	void aChargeThatNoRetryWaivesIsNotMadeToFindAFreeRetry() {
		adopt(rule("search", "1 concurrent").with(RuleOptions.IDEMPOTENCY, true));
		decision(enter("a"));
		enter("a");
		int calls = this.store.calls;
		assertThat(enter(retry("slot")).result()).isNotDone();
		assertThat(this.store.calls).isEqualTo(calls);
	}

	@Test
	void aBucketThatARuleWithoutIdempotencySharesIsNotChargedToFindAFreeRetry() {
		adopt(rule("search", "10/s").burst(1).bucket("shared").with(RuleOptions.IDEMPOTENCY, true),
				rule("orders", "10/s").burst(1).bucket("shared"));
		decision(enter("a", "search"));
		enter("a", "search");
		int calls = this.store.calls;
		assertThat(enter(retry("shared", "search", "orders")).result()).isNotDone();
		assertThat(this.store.calls).isEqualTo(calls);
	}

	@Test
	void aRetryThatOnlyAnotherStoreKnowsIsTakenBack() {
		adopt(rule("search", "10/s").burst(1).with(RuleOptions.IDEMPOTENCY, true),
				rule("watch", "10/s").burst(10).mode(RuleMode.SHADOW));
		decision(enter(retry("first", "search", "watch")));
		enter("a", "search");
		enter(retry("other", "search", "watch"));
		assertThat(remaining("watch")).isEqualTo(9);
	}

	@Test
	void aFreeRetryDoesNotWaitUntilALookIsTakenBack() {
		adopt(rule("search", "10/s").burst(1).with(RuleOptions.IDEMPOTENCY, true));
		decision(enter(retry("first")));
		enter("a");
		this.store.releasesLater = true;
		Ticket ticket = this.engine.queues().enter(retry("first")).getNow(null);
		assertThat(ticket).isNotNull();
		assertThat(decision(ticket).verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.REPLAYED);
	}

	private long remaining(String rule) {
		return this.engine.peek(rule, "a").blockOptional().orElseThrow().verdicts().get(0).remaining();
	}

	private WaitRequest retry(String key) {
		return retry(key, "search");
	}

	private WaitRequest retry(String key, String... rules) {
		WaitRequest request = request("a", "a", rules);
		return new WaitRequest(request.applied(), Optional.of(new RetryKey(key, "POST /orders")), request.flow(),
				request.maxNanos(), 0, request.places());
	}

	@Test
	void tooLongWaitIsRejectedAtOnce() {
		adopt(rule("search", "2/s").burst(1));
		enter("a");
		List<Ticket> waiting = List.of(enter("a"), enter("a"), enter("a"));
		enter("a");
		Decision last = decision(enter("a"));
		assertThat(waiting).noneMatch((ticket) -> ticket.result().isDone());
		assertThat(last.verdicts().get(0).outcome()).isEqualTo(Outcome.QUEUE_FULL);
		assertThat(last.retryAfter().orElseThrow()).isBetween(Duration.ofMillis(2000), Duration.ofMillis(3000));
		assertThat(this.ends).containsOnly(EndedWait.End.QUEUE_FULL);
	}

	@Test
	void waitAboveTheMaximumIsRejectedWithoutQueueing() {
		adopt(rule("search", "1/min"));
		enter("a");
		Decision denied = decision(enter("a"));
		assertThat(denied.verdicts().get(0).outcome()).isEqualTo(Outcome.REJECTED);
		assertThat(denied.retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(50));
		assertThat(this.engine.queues().waiting()).isZero();
	}

	@Test
	void onlyRulesThatLetRequestsWaitDo() {
		adopt(rule("search", "10/s").burst(1), RuleBuilder.rule("hard").key("global").limits("1/min"));
		enter("a", "search", "hard");
		assertThat(decision(enter("a", "search", "hard")).verdicts())
			.anyMatch((verdict) -> verdict.policy().ruleId().equals("hard"));
	}

	@Test
	void aRequestThatARuleWithoutAQueueRejectsDoesNotWait() {
		adopt(rule("search", "10/s").burst(1), RuleBuilder.rule("hard").key("global").limits("2/min"));
		enter("a", "search", "hard");
		Ticket waiting = enter("a", "search");
		Ticket next = enter("a", "search", "hard");
		assertThat(next.result()).as("'hard' has one unit left").isNotDone();
		this.clock.advance(230);
		assertThat(decision(waiting).allowed()).isTrue();
		assertThat(decision(next).allowed()).isTrue();
		enter("a", "search");
		assertThat(decision(enter("a", "search", "hard")).verdicts())
			.anyMatch((verdict) -> verdict.policy().ruleId().equals("hard") && !verdict.outcome().passes());
	}

	@Test
	void aRequestBeyondADegradingRuleDoesNotOvertake() {
		adopt(rule("search", "10/s").burst(1),
				RuleBuilder.rule("soft")
					.key("global")
					.limits("1/min")
					.with(RuleOptions.ON_EXCESS, ExcessPolicy.DEGRADE));
		enter("a", "search", "soft");
		Ticket waiting = enter("a", "search");
		// The timer has not fired yet.
		this.clock.nanos += 150 * MILLI;
		Ticket degraded = enter("a", "search", "soft");
		assertThat(degraded.result()).isNotDone();
		assertThat(decision(waiting).allowed()).isTrue();
	}

	@Test
	void aRequestThatCannotWaitCallsNoStore() {
		adopt(rule("search", "10/s").burst(1), RuleBuilder.rule("hard").key("global").limits("1000/min"));
		for (int i = 0; i < 30; i++) {
			enter("a", "search");
		}
		int calls = this.store.calls;
		assertThat(decision(enter("a", "search", "hard")).verdicts()).extracting(Verdict::outcome)
			.contains(Outcome.QUEUE_FULL);
		assertThat(this.store.calls).isEqualTo(calls);
	}

	@Test
	void shadowRuleDelaysNoRequest() {
		adopt(rule("search", "10/s").burst(1).mode(RuleMode.SHADOW));
		enter("a");
		assertThat(decision(enter("a")).verdicts().get(0).outcome()).isEqualTo(Outcome.SHADOW_REJECTED);
	}

	@Test
	void aSubjectThatIsPausedWhileItWaitsIsRejectedAtItsTurn() {
		adopt(rule("search", "10/s").burst(1));
		Ticket first = enter("a");
		Ticket second = enter("a");
		assertThat(decision(first).allowed()).isTrue();
		Sanction pause = new Sanction(BanKind.PAUSE, this.clock.nanos + 60_000 * MILLI);
		SanctionKeeper keeper = mock();
		given(keeper.find("search", "a")).willReturn(pause);
		this.editions.keepSanctions(keeper);
		this.clock.advance(115);
		assertThat(decision(second).verdicts().get(0).outcome()).isEqualTo(Outcome.PAUSED);
	}

	@Test
	void degradingRuleCannotWait() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> rule("search", "10/s").with(RuleOptions.ON_EXCESS, ExcessPolicy.DEGRADE).build())
			.withMessageContaining("'on-excess: degrade'");
	}

	@Test
	void theMaximumCountsFromTheArrival() {
		adopt(rule("search", "100/s").burst(1));
		enter("a");
		Ticket waiting = enter("a");
		this.store.stopped = true;
		this.clock.advance(2100);
		Decision decision = decision(waiting);
		assertThat(decision.verdicts().get(0).outcome()).isEqualTo(Outcome.WAITED_OUT);
		assertThat(this.ends).containsExactly(EndedWait.End.WAITED_OUT);
		assertThat(waiting.waitedNanos()).isLessThanOrEqualTo(2001 * MILLI);
	}

	@Test
	void waitBeyondMaximumIsRejectedEarly() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		List<Ticket> waiting = List.of(enter("a"), enter("a"), enter("a"));
		this.store.stopped = true;
		this.store.retryMillis = 1950;
		this.clock.advance(110);
		assertThat(waiting).extracting(FairWaitQueuesTests::decision)
			.allMatch((decision) -> decision.verdicts().get(0).outcome() == Outcome.WAITED_OUT);
	}

	@Test
	void anAttemptThatWasDueInTimeIsMadeHoweverLateTheClock() {
		adopt(rule("search", "2/s").burst(1));
		enter("a");
		List<Ticket> waiting = List.of(enter("a"), enter("a"));
		this.clock.jump(2500);
		assertThat(waiting).extracting(FairWaitQueuesTests::decision).filteredOn(Decision::allowed).isNotEmpty();
		assertThat(this.engine.queues().waiting()).isZero();
	}

	@Test
	void anAttemptThatIsLateServesTheOthersToo() {
		adopt(rule("search", "2/s").burst(4));
		List<Ticket> waiting = IntStream.range(0, 7).mapToObj((i) -> enter("a")).toList();
		this.store.later = true;
		this.clock.jump(1999);
		this.clock.jump(5);
		this.store.later = false;
		this.store.answer();
		this.clock.advance(1);
		assertThat(waiting).extracting(FairWaitQueuesTests::decision).allMatch(Decision::allowed);
	}

	@Test
	void aStoreThatNeverAnswersKeepsNoWaiter() {
		adopt(rule("search", "2/s").burst(1));
		enter("a");
		enter("a");
		Ticket behind = enter("a");
		this.store.later = true;
		this.clock.advance(2000);
		assertThat(behind.result()).isNotDone();
		this.clock.advance(51);
		assertThat(decision(behind).verdicts().get(0).outcome()).isEqualTo(Outcome.WAITED_OUT);
	}

	@Test
	void aSingleInstanceTriesAtTheMomentOfTheNextUnit() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		Ticket ticket = enter("a");
		this.clock.advance(100);
		assertThat(decision(ticket).allowed()).isTrue();
	}

	@Test
	void requestMovesToQueueOfRejectingBucket() {
		adopt(rule("one", "10/s").burst(1), rule("two", "10/s").burst(1));
		enter("a", "one");
		Ticket ticket = enter("a", "one", "two");
		this.clock.advance(50);
		enter("a", "two");
		this.clock.advance(62);
		assertThat(ticket.result()).isNotDone();
		this.clock.advance(60);
		assertThat(decision(ticket).allowed()).isTrue();
		assertThat(this.told).filteredOn((decision) -> !decision.allowed()).isEmpty();
	}

	@Test
	void abandonedWaitIsNotCharged() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		Ticket left = enter("a");
		Ticket next = enter("a");
		left.leave();
		left.leave();
		assertThat(left.result()).isCancelled();
		assertThat(this.engine.queues().waiting()).isEqualTo(1);
		this.clock.advance(115);
		assertThat(decision(next).allowed()).isTrue();
		assertThat(this.ends).containsExactly(EndedWait.End.CANCELED, EndedWait.End.ALLOWED);
	}

	@Test
	void aRequestThatLeavesDoesNotLetOthersWaitForItsCost() {
		adopt(rule("search", "10/s").burst(10));
		enter(request("a", 6));
		Ticket expensive = enter(request("a", 9));
		assertThat(expensive.result()).isNotDone();
		expensive.leave();
		assertThat(decision(enter(request("b", 1))).allowed()).isTrue();
		Ticket another = enter(request("a", 4));
		Ticket further = enter(request("a", 4));
		Ticket cheap = enter(request("b", 1));
		another.leave();
		assertThat(cheap.result()).isNotDone();
		further.leave();
		assertThat(decision(cheap).allowed()).isTrue();
		assertThat(this.engine.queues().waiting()).isZero();
	}

	@Test
	void aRequestThatIsRejectedAfterItsTurnDoesNotLetOthersWaitForItsCost() {
		adopt(rule("search", "10/s").burst(10));
		enter(request("a", 6));
		Ticket expensive = enter(request("a", 9));
		Ticket cheap = enter(request("b", 1));
		// Another instance has charged the bucket meanwhile.
		this.clock.nanos += 490 * MILLI;
		this.engine.evaluation().evaluate(request("a", 7).applied(), Optional.empty(), 50 * MILLI).join();
		this.clock.advance(20);
		assertThat(decision(expensive).allowed()).isFalse();
		assertThat(decision(cheap).allowed()).isTrue();
	}

	// With several instances, a random delay can put the next attempt after the maximum
	// wait of the request that determines it.
	@Test
	void theEndOfAWaitLetsACheaperRequestTryBeforeItGivesUp() {
		this.instances = 2;
		adopt(rule("search", "10/s").burst(10));
		enter(request("a", 6));
		Ticket expensive = enter(request("a", 9, 1201 * MILLI));
		Ticket cheap = enter(request("b", 1, 1203 * MILLI));
		// Another instance has charged the bucket meanwhile.
		this.clock.nanos += 490 * MILLI;
		this.engine.evaluation().evaluate(request("a", 7).applied(), Optional.empty(), 50 * MILLI).join();
		this.clock.advance(100);
		this.clock.advance(700);
		assertThat(decision(expensive)).isNotNull();
		assertThat(decision(cheap).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(Level.class)
	void aChangedRuleIsChargedWithTheSamePlanAndLevel(Level level) {
		adopt(rule("search", "10/s").burst(1), slots("10 concurrent"));
		enter(request("a", 1));
		CompiledRule slots = this.engine.rule("slots").orElseThrow();
		AppliedRule search = AppliedRule.of(this.engine.rule("search").orElseThrow(), "all", 1);
		AppliedRule pro = new AppliedRule(slots, slots.plans().getOrDefault("pro", slots.limits("all")).of(level),
				"all", 1);
		Ticket waiting = enter(new WaitRequest(List.of(search, pro), Optional.empty(), (rule) -> "a",
				OptionalLong.of(TimeUnit.SECONDS.toNanos(1)), 0, Optional.empty()));
		assertThat(waiting.result()).isNotDone();
		adopt(rule("search", "10/s").burst(1), slots("20 concurrent"));
		this.clock.advance(200);
		assertThat(decision(waiting).verdicts()).filteredOn((verdict) -> verdict.policy().ruleId().equals("slots"))
			.extracting((verdict) -> verdict.policy().capacity())
			.containsExactly((level == Level.CRITICAL) ? 20L : 10L);
	}

	private static RuleBuilder slots(String pro) {
		return RuleBuilder.rule("slots")
			.key("user")
			.limits("2 concurrent")
			.plan("pro", pro)
			.with(RuleOptions.RESERVE, Reserve.parse(Map.of("critical", "50%")));
	}

	// The estimate does not increase because no unit was due yet.
	@ParameterizedTest
	@CsvSource({ "token-bucket, 300", "fixed-window, 1200" })
	void theEstimateOfASlowLimitIsThatOfItsUnits(String algorithm, long waitedSeconds) {
		long most = TimeUnit.HOURS.toNanos(1);
		adopt(rule("search", (algorithm.equals("fixed-window")) ? "10/h" : "10/h burst 1").algorithm(algorithm));
		enter(request("a", (algorithm.equals("fixed-window")) ? 10 : 1));
		Ticket first = enter(request("a", 1, most));
		this.clock.advance(waitedSeconds * 1000);
		Ticket second = enter(request("a", 1, most));
		assertThat(first.result()).isNotDone();
		assertThat(second.result()).isNotDone();
		assertThat(this.engine.queues().find(request("a", 1).applied().get(0), "a")).get()
			.extracting(WaitState::estimate, InstanceOfAssertFactories.DURATION)
			.isLessThan(Duration.ofHours(1));
	}

	@Test
	void aResetBucketServesItsWaitingRequestsAtOnce() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		Ticket waiting = enter("a");
		this.engine.reset("search", "a").join();
		assertThat(decision(waiting).allowed()).isTrue();
	}

	@Test
	void departuresOfEqualRequestsCallNoStore() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		List<Ticket> waiting = List.of(enter("a"), enter("a"), enter("a"));
		int calls = this.store.calls;
		waiting.get(0).leave();
		waiting.get(1).leave();
		assertThat(this.store.calls).isEqualTo(calls);
	}

	@Test
	void anAttemptUnderWayIsUndoneIfItsRequestHasLeft() {
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		Ticket ticket = enter("a");
		this.store.later = true;
		this.clock.advance(115);
		ticket.leave();
		this.store.later = false;
		this.store.answer();
		assertThat(decision(enter("a")).allowed()).isTrue();
		assertThat(this.engine.queues().waiting()).isZero();
	}

	@Test
	void flowsTakeTurns() {
		adopt(RuleBuilder.rule("search")
			.key("global")
			.limit(LimitDefinition.of("100/s"))
			.burst(1)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(2), 1000, Optional.empty())));
		List<String> order = new ArrayList<>();
		flow("noisy", order);
		for (int i = 0; i < 50; i++) {
			flow("noisy", order);
		}
		flow("light", order);
		this.clock.advance(40);
		assertThat(order).contains("light").hasSizeLessThan(8);
	}

	@Test
	void fullQueueEvictsTheNewestOfItsLongestFlow() {
		adopt(RuleBuilder.rule("search")
			.key("global")
			.limit(LimitDefinition.of("100/s"))
			.burst(1)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(2), 3, Optional.empty())));
		List<String> order = new ArrayList<>();
		List<Ticket> noisy = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			noisy.add(flow("noisy", order));
		}
		assertThat(decision(flow("noisy", order)).verdicts().get(0).outcome()).isEqualTo(Outcome.QUEUE_FULL);
		Ticket light = flow("light", order);
		assertThat(light.result()).isNotDone();
		assertThat(decision(noisy.get(3)).verdicts().get(0).outcome()).isEqualTo(Outcome.QUEUE_FULL);
		assertThat(this.engine.queues().waiting()).isEqualTo(3);
	}

	@Test
	void flowThatFillsSeveralQueuesMakesRoomForOthers() {
		adopt(rule("search", "100/s").burst(1)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(30), 600, Optional.empty())));
		for (int i = 0; i < 500; i++) {
			enter(request("noisy", "a", "search"));
			enter(request("noisy", "b", "search"));
			enter(request("noisy", "c", "search"));
		}
		assertThat(this.engine.queues().waiting()).isEqualTo(1000);
		enter(request("light", "d", "search"));
		Ticket light = enter(request("light", "d", "search"));
		assertThat(light.result()).isNotDone();
		assertThat(this.engine.queues().waiting()).isEqualTo(1000);
		this.clock.advance(20);
		assertThat(decision(light).allowed()).isTrue();
	}

	@Test
	void attemptsAreHardlyMoreThanAdmissions() {
		adopt(RuleBuilder.rule("search")
			.key("global")
			.limit(LimitDefinition.of("100/s"))
			.burst(5)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(2), 1000, Optional.empty())));
		Map<String, Integer> allowed = new HashMap<>();
		int asked = this.store.calls;
		for (int milli = 0; milli < 5000; milli++) {
			if (milli % 10 == 0) {
				for (int i = 0; i < 10; i++) {
					count("noisy", allowed);
				}
			}
			if (milli % 100 == 0) {
				for (int tenant = 0; tenant < 9; tenant++) {
					count("tenant" + tenant, allowed);
				}
			}
			this.clock.advance(1);
		}
		int total = allowed.values().stream().mapToInt(Integer::intValue).sum();
		assertThat(total).isBetween(490, 510);
		assertThat(this.store.calls - asked).isLessThanOrEqualTo(3 * total);
		// The last request of a tenant may still wait, but none was rejected.
		for (int tenant = 0; tenant < 9; tenant++) {
			assertThat(allowed.get("tenant" + tenant)).isGreaterThanOrEqualTo(48);
		}
		assertThat(this.rejected).containsOnly("noisy");
		assertThat(this.clock.mostTimers).as("timers, although requests always wait").isLessThan(5);
	}

	@Test
	void releasedSlotWakesTheQueue() {
		adopt(rule("slots", "1").algorithm("concurrency"));
		Ticket first = enter("a");
		Ticket second = enter("a");
		Ticket third = enter("a");
		assertThat(second.result()).isNotDone();
		decision(first).reservation().release();
		assertThat(decision(second).allowed()).isTrue();
		assertThat(third.result()).isNotDone();
	}

	@Test
	void aRequestThatBeginsToWaitDuringAReleaseIsWokenByIt() {
		adopt(rule("slots", "1").algorithm("concurrency"));
		Ticket first = enter("a");
		this.store.settlesLater = true;
		decision(first).reservation().release();
		Ticket second = enter("a");
		assertThat(second.result()).isNotDone();
		this.store.answer();
		assertThat(decision(second).allowed()).isTrue();
	}

	@Test
	void aDecisionInMemoryThatIsCanceledWakesTheQueue() {
		FairWaitQueueFactory queues = new FairWaitQueueFactory(new WaitSettings(1000, () -> 1, this.clock::once));
		RateLimitEngine inMemory = new RateLimitEngine(this.editions,
				new MemoryLimitStore(1000, () -> this.clock.nanos / MILLI), StoreDeadlines.of(Duration.ofMillis(50)),
				"secret", IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of()),
				() -> this.clock.nanos, queues);
		adopt(rule("search", "1/s").burst(2));
		WaitRequest request = request("a", "a", "search");
		inMemory.evaluation().evaluate(request.applied(), Optional.empty(), MILLI).join();
		Decision first = inMemory.evaluation().evaluate(request.applied(), Optional.empty(), MILLI).join();
		assertThat(first.reservation()).isInstanceOf(LocalCharge.class);
		Ticket second = inMemory.queues().enter(request).join();
		assertThat(second.result()).isNotDone();
		first.reservation().cancel();
		assertThat(decision(second).allowed()).isTrue();
	}

	@Test
	void failingFollowerDelaysNoRequest() {
		this.factory.addFollower((wait) -> {
			throw new IllegalStateException("as told");
		});
		adopt(rule("search", "10/s").burst(1));
		enter("a");
		Ticket second = enter("a");
		Ticket third = enter("a");
		this.clock.advance(115);
		assertThat(decision(second).allowed()).isTrue();
		this.clock.advance(115);
		assertThat(decision(third).allowed()).isTrue();
	}

	@Test
	void changedRulesWakeTheQueues() {
		adopt(rule("search", "2/s").burst(1));
		enter("a");
		List<Ticket> waiting = List.of(enter("a"), enter("a"));
		adopt(rule("search", "100/s").burst(10));
		this.clock.advance(60);
		assertThat(waiting).allMatch((ticket) -> decision(ticket).allowed());
		adopt(rule("search", "1/s").burst(1));
		enter("a");
		Ticket ticket = enter("a");
		this.editions.adopt(List.of(rule("search", "1/s").mode(RuleMode.OFF).build()));
		assertThat(decision(ticket)).isEqualTo(Decision.UNMATCHED);
	}

	@Test
	void theInstanceShutsDown() {
		adopt(rule("search", "1/s").burst(1));
		enter("a");
		Ticket waiting = enter("a");
		this.engine.queues().close();
		assertThat(decision(waiting).verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_CLOSED);
		assertThat(decision(waiting).retryAfter()).contains(Duration.ofSeconds(1));
		assertThat(decision(enter("a")).verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_CLOSED);
		assertThat(this.engine.queues().waiting()).isZero();
		this.engine.queues().open();
		enter("a");
		assertThat(this.engine.queues().waiting()).isOne();
	}

	@Test
	void closedRuleRejectsWhileTheStoreIsUnavailable() {
		adopt(rule("search", "10/s").burst(1).failure(FailurePolicy.CLOSED));
		enter("a");
		Ticket waiting = enter("a");
		this.store.closed = true;
		this.clock.advance(115);
		assertThat(decision(waiting).verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_CLOSED);
		assertThat(this.ends).containsExactly(EndedWait.End.REJECTED);
	}

	@Test
	void unlimitedQueueIsEmptiedWithoutRecursion() {
		adopt(RuleBuilder.rule("search")
			.key("global")
			.limit(LimitDefinition.of("1/s"))
			.burst(1)
			.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(30), 1000, Optional.empty())));
		List<String> order = new ArrayList<>();
		for (int i = 0; i < 990; i++) {
			flow("flow" + i, order);
		}
		int before = this.engine.queues().waiting();
		assertThat(before).isGreaterThan(20);
		adopt(RuleBuilder.rule("search").key("global").limits("unlimited"));
		assertThat(this.engine.queues().waiting()).isZero();
	}

	@Test
	void anotherInstanceSharesTheRate() {
		this.instances = 4;
		adopt(rule("search", "4/s").burst(1));
		enter("a");
		enter("a");
		enter("a");
		assertThat(decision(enter("a")).allowed()).isFalse();
	}

	private void count(String flow, Map<String, Integer> allowed) {
		enter(request(flow, "all", "search")).result().thenAccept((turn) -> {
			if (turn.decision().allowed()) {
				allowed.merge(flow, 1, Integer::sum);
			}
			else {
				this.rejected.add(flow);
			}
		});
	}

	private Ticket flow(String flow, List<String> order) {
		Ticket ticket = enter(request(flow, "all", "search"));
		ticket.result().thenAccept((turn) -> {
			if (turn.decision().allowed()) {
				order.add(flow);
			}
		});
		return ticket;
	}

	private static RuleBuilder rule(String id, String limit) {
		return RuleBuilder.rule(id)
			.key("user")
			.limit(LimitDefinition.of(limit))
			.with(RuleOptions.WAIT, Waiting.of(Duration.ofSeconds(2)));
	}

	private void adopt(RuleBuilder... rules) {
		this.editions.adopt(List.of(rules).stream().map(RuleBuilder::build).toList());
	}

	private static Decision decision(Ticket ticket) {
		assertThat(ticket.result()).isCompleted();
		return ticket.result().join().decision();
	}

	private Ticket enter(String subject, String... rules) {
		return enter(request(subject, subject, (rules.length > 0) ? rules
				: new String[] { this.editions.current().rules().rules().keySet().iterator().next() }));
	}

	private Ticket enter(WaitRequest request) {
		return this.engine.queues().enter(request).join();
	}

	private WaitRequest request(String flow, long cost) {
		return request(flow, cost, TimeUnit.SECONDS.toNanos(1));
	}

	private WaitRequest request(String flow, long cost, long maxNanos) {
		AppliedRule applied = AppliedRule.of(this.engine.rule("search").orElseThrow(), "all", cost);
		return new WaitRequest(List.of(applied), Optional.empty(), (rule) -> flow, OptionalLong.of(maxNanos), 0,
				Optional.empty());
	}

	private WaitRequest request(String flow, String subject, String... rules) {
		List<AppliedRule> applied = List.of(rules)
			.stream()
			.map((id) -> AppliedRule.of(this.engine.rule(id).orElseThrow(), subject, 1))
			.toList();
		return new WaitRequest(applied, Optional.empty(), (rule) -> flow, OptionalLong.empty(), 0, Optional.empty());
	}

	/**
	 * A clock and its scheduled tasks.
	 */
	private static final class Clock {

		private long nanos = 1_000_000 * MILLI;

		private int mostTimers;

		private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::atNanos));

		Runnable once(Duration delay, Runnable task) {
			Timer timer = new Timer(this.nanos + delay.toNanos(), task);
			this.timers.add(timer);
			this.mostTimers = Math.max(this.mostTimers, this.timers.size());
			return () -> this.timers.remove(timer);
		}

		// Simulate a machine that is too busy to run timers on time.
		void jump(long millis) {
			this.nanos += millis * MILLI;
			advance(0);
		}

		void advance(long millis) {
			long end = this.nanos + millis * MILLI;
			while (!this.timers.isEmpty() && this.timers.peek().atNanos <= end) {
				Timer next = this.timers.poll();
				this.nanos = Math.max(this.nanos, next.atNanos);
				next.task.run();
			}
			this.nanos = end;
		}

		private record Timer(long atNanos, Runnable task) {
		}

	}

	/**
	 * An in-memory store that may be stopped, late, or unavailable.
	 */
	private static final class Store implements StoreStage {

		private final StoreStage memory;

		private boolean stopped;

		private long retryMillis = 10;

		private boolean later;

		private boolean settlesLater;

		private boolean releasesLater;

		private boolean closed;

		private int calls;

		private long deadlineNanos;

		private final List<Runnable> late = new ArrayList<>();

		private Store(StoreStage memory) {
			this.memory = memory;
		}

		void answer() {
			List<Runnable> due = List.copyOf(this.late);
			this.late.clear();
			due.forEach(Runnable::run);
		}

		@Override
		public String name() {
			return "test";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			this.calls++;
			this.deadlineNanos = request.deadlineNanos();
			if (this.closed) {
				return CompletableFuture.completedFuture(AcquireResult.of(request, false, Source.FALLBACK, 0,
						request.charges()
							.stream()
							.map((charge) -> Verdict.unmeasured(charge.bucket().family().policy(),
									Outcome.FAILED_CLOSED, charge.cost(), 1000))
							.toList()));
			}
			if (this.stopped) {
				return CompletableFuture.completedFuture(AcquireResult.of(request, false, Source.REMOTE, 0,
						request.charges()
							.stream()
							.map((charge) -> new Verdict(charge.bucket().family().policy(), Outcome.REJECTED,
									charge.cost(), 0, this.retryMillis, this.retryMillis, this.retryMillis))
							.toList()));
			}
			CompletableFuture<AcquireResult> result = this.memory.acquire(request);
			if (!this.later) {
				return result;
			}
			CompletableFuture<AcquireResult> answer = new CompletableFuture<>();
			this.late.add(() -> answer.complete(result.join()));
			return answer;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			if (!this.settlesLater) {
				return this.memory.settle(settlements);
			}
			CompletableFuture<Void> done = new CompletableFuture<>();
			this.late.add(() -> this.memory.settle(settlements).thenAccept(done::complete));
			return done;
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			CompletableFuture<Void> released = this.memory.release(result);
			return (this.releasesLater) ? new CompletableFuture<>() : released;
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

}
