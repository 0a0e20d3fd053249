package dev.ratelimit.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.test.Parallel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RejectedSubjectsTests {

	private static final Instant NOON = Instant.parse("2026-07-01T12:00:30Z");

	private final AtomicReference<Instant> now = new AtomicReference<>(NOON);

	private final InstantSource clock = this.now::get;

	private final MemoryTopStore store = new MemoryTopStore();

	private final RejectedSubjects rejected = new RejectedSubjects(this.store, SubjectNaming.of(SubjectNames.PLAIN),
			this.clock);

	private final RateLimitEngine engine = Telemetry.engine(this.rejected, rule("search"), rule("login"),
			RuleBuilder.rule("several").limits("1/h", "2/d").build(), RuleBuilder.rule("none").limits("0/h").build(),
			RuleBuilder.rule("watched").limits("1/h").mode(RuleMode.SHADOW).build(),
			RuleBuilder.rule("vital").limits("1/h").failure(FailurePolicy.CLOSED).build());

	private static Rule rule(String id) {
		return RuleBuilder.rule(id).limits("1/h").build();
	}

	private void acquire(String rule, String subject, int times) {
		for (int i = 0; i < times; i++) {
			this.engine.acquireBlocking(rule, subject);
		}
	}

	private TopSubjects.Top top() {
		this.rejected.flush().join();
		return find("", 15);
	}

	private TopSubjects.Top find(String rule, int minutes) {
		return this.rejected.top()
			.find(Optional.of(rule).filter((id) -> !id.isEmpty()), minutes, Optional.empty())
			.join();
	}

	@Test
	void rejectionsAreCountedByRuleAndSubject() {
		acquire("search", "user:1", 4);
		acquire("search", "user:2", 2);
		acquire("search", "user:3", 1);
		acquire("login", "user:1", 2);
		assertThat(top()).isEqualTo(new TopSubjects.Top(0,
				Map.of("search",
						List.of(new RejectedSubject("search", "user:1", 3), new RejectedSubject("search", "user:2", 1)),
						"login", List.of(new RejectedSubject("login", "user:1", 1)))));
		assertThat(find("login", 15).rules()).containsOnlyKeys("login");
	}

	@Test
	void onlyTheRuleThatRejectsCounts() {
		acquire("search", "user:1", 1);
		this.engine.acquireBlocking(List.of(RuleCharge.of("search", "user:1"), RuleCharge.of("login", "user:1")));
		assertThat(top().rules()).containsOnlyKeys("search");
	}

	@Test
	void severalLimitsOfARuleRejectOnce() {
		acquire("several", "user:1", 5);
		assertThat(top().rules().get("several")).containsExactly(new RejectedSubject("several", "user:1", 4));
	}

	@Test
	void ruleOfNothingRejectsAll() {
		acquire("none", "user:1", 2);
		assertThat(top().rules().get("none")).containsExactly(new RejectedSubject("none", "user:1", 2));
	}

	@Test
	void neitherShadowNorPeeksNorUnknownSubjectsNorOutagesCount() {
		acquire("watched", "user:1", 3);
		acquire("search", "user:1", 1);
		this.engine.acquireBlocking("search", "user:1", 0);
		AppliedRule banned = AppliedRule.denied(this.engine.rule("search").orElseThrow());
		this.engine.decide(List.of(banned), Optional.empty(), 1).join();
		this.engine.keyMissing(this.engine.rule("search").orElseThrow());
		AppliedRule vital = AppliedRule.of(this.engine.rule("vital").orElseThrow(), "user:1", 1);
		this.rejected.decided(List.of(vital), new Decision(false, Reason.STORE_UNAVAILABLE, Source.FALLBACK,
				List.of(Verdict.unmeasured(vital.rule().policy(), Outcome.FAILED_CLOSED, 1, 1000))), 1, 0);
		assertThat(top()).isEqualTo(new TopSubjects.Top(0, Map.of()));
	}

	@Test
	void requestsThatAQueueRejectsCount() {
		AppliedRule search = AppliedRule.of(this.engine.rule("search").orElseThrow(), "user:1", 1);
		for (Outcome outcome : List.of(Outcome.QUEUE_FULL, Outcome.WAITED_OUT)) {
			this.rejected.decided(List.of(search), new Decision(false, Reason.LIMIT_EXCEEDED, Source.LOCAL,
					List.of(Verdict.unmeasured(search.rule().policy(), outcome, 1, 1000))), 1, 0);
		}
		assertThat(top().rules()).isEqualTo(Map.of("search", List.of(new RejectedSubject("search", "user:1", 2))));
	}

	@Test
	void onlyDecisionsThatRejectAreWanted() {
		assertThat(this.rejected.observesAllowed()).isFalse();
		assertThat(this.rejected.observesTime()).isFalse();
	}

	@Test
	void countsOfWindowsAndMinutesAreAdded() {
		acquire("search", "user:1", 3);
		this.rejected.flush().join();
		acquire("search", "user:1", 1);
		this.rejected.flush().join();
		this.now.set(NOON.plus(Duration.ofMinutes(10)));
		acquire("search", "user:1", 1);
		this.rejected.flush().join();
		assertThat(find("search", 15).rules().get("search").get(0).atLeast()).isEqualTo(4);
		assertThat(find("search", 10).rules().get("search").get(0).atLeast()).isEqualTo(1);
	}

	@Test
	void nothingIsAddedWhereNothingWasRejected() {
		List<Long> minutes = new ArrayList<>();
		RejectedSubjects quiet = new RejectedSubjects(new FailingStore() {

			@Override
			public CompletableFuture<Void> add(long minute, Map<String, Long> counts) {
				minutes.add(minute);
				return super.add(minute, counts);
			}

		}, SubjectNaming.of(SubjectNames.PLAIN), this.clock);
		quiet.flush().join();
		assertThat(minutes).isEmpty();
	}

	@Test
	void rejectionsOfFailedFlushAreReportedAsMissed() {
		FailingStore failing = new FailingStore();
		RejectedSubjects follower = new RejectedSubjects(failing, SubjectNaming.of(SubjectNames.PLAIN), this.clock);
		RateLimitEngine other = Telemetry.engine(follower, rule("search"));
		IntStream.range(0, 4).forEach((i) -> other.acquireBlocking("search", "user:1"));
		follower.flush().join();
		failing.failing = false;
		follower.flush().join();
		assertThat(follower.top().find(Optional.empty(), 15, Optional.empty()).join())
			.isEqualTo(new TopSubjects.Top(3, Map.of()));
	}

	@Test
	void subjectsAreShownByHashesAndFoundByThemselves() throws Exception {
		RejectedSubjects follower = new RejectedSubjects(this.store, SubjectNaming.random(SharedKey.OWN), this.clock);
		RateLimitEngine other = Telemetry.engine(follower, rule("search"));
		IntStream.range(0, 3).forEach((i) -> other.acquireBlocking("search", "user:1"));
		other.acquireBlocking("search", "user:2");
		other.acquireBlocking("search", "user:2");
		follower.flush().join();
		assertThat(follower.top().find(Optional.empty(), 15, Optional.empty()).get().rules().get("search")).hasSize(2)
			.allSatisfy((found) -> assertThat(found.subject()).matches("user:~#[0-9a-f]{16}"));
		List<RejectedSubject> found = search(follower, "user:1");
		assertThat(found).singleElement().satisfies((one) -> assertThat(one.atLeast()).isEqualTo(2));
		assertThat(search(follower, found.get(0).subject())).isEqualTo(found);
	}

	private static List<RejectedSubject> search(RejectedSubjects follower, String subject)
			throws InterruptedException, ExecutionException {
		return follower.top().find(Optional.empty(), 15, Optional.of(subject)).get().rules().get("search");
	}

	@Test
	void rulesAboveTheBoundShareCounters() {
		int rules = DenialWindow.MAX_RULES + 40;
		DenialWindow window = new DenialWindow();
		for (int i = 0; i < rules; i++) {
			assertThat(window.tryAdd("rule-" + i, "user:1")).isTrue();
		}
		assertThat(window.close(1000)).hasSize(rules);
		assertThat(window.tryAdd("rule-1", "user:1")).isFalse();
		assertThat(window.tryAdd("rule-new", "user:1")).isFalse();
	}

	@Test
	void theLargestOfAWindowAreAdded() {
		for (int i = 0; i < 3; i++) {
			String rule = (i == 0) ? "search" : (i == 1) ? "login" : "several";
			IntStream.range(0, 100).forEach((user) -> acquire(rule, "user:" + user, 2 + user / 50));
		}
		this.rejected.flush().join();
		Map<String, Long> sums = this.store.read(NOON.getEpochSecond() / 60).join();
		assertThat(sums).hasSize(RejectedSubjects.MAX_SUBJECTS);
		assertThat(sums.values().stream().filter((sum) -> sum == 2)).hasSize(150);
	}

	@Test
	void everyRejectionIsCountedOrMissed() {
		acquire("search", "user:1", 1);
		Parallel.run(4, (thread) -> {
			acquire("search", "user:1", 5000);
			return thread;
		});
		TopSubjects.Top top = top();
		assertThat(top.rules().get("search").get(0).atLeast() + top.missed()).isEqualTo(20_000);
	}

	@Test
	void minutesAreBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> find("", 0)).withMessageContaining("1 and 120");
		assertThatIllegalArgumentException().isThrownBy(() -> find("", 121)).withMessageContaining("1 and 120");
	}

	private static class FailingStore implements TopStore {

		private final MemoryTopStore store = new MemoryTopStore();

		private boolean failing = true;

		@Override
		public CompletableFuture<Void> add(long minute, Map<String, Long> counts) {
			return (this.failing) ? CompletableFuture.failedFuture(new IllegalStateException("away"))
					: this.store.add(minute, counts);
		}

		@Override
		public CompletableFuture<Map<String, Long>> read(long minute) {
			return this.store.read(minute);
		}

	}

}
