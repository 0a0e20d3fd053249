package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.Guards;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The results of the guard while the breaker is closed.
 */
class GuardedLimitStoreTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private static final Duration PROBE_INTERVAL = Duration.ofSeconds(7);

	private final StubStore stub = new StubStore();

	// A call that is sent too late is not sent at all, so the timeout is long.
	private final GuardedLimitStore store = guarded(DEADLINE.multipliedBy(10));

	private final BucketFamily family = Demands.perMinute("guarded", 10);

	private final Charge open = Demands.charge(this.family, "open", 2);

	private final Charge closed = Demands.closed(this.family, "closed", 3);

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void handsOnWhatTheStoreAnswers() {
		AcquireRequest demand = Demands.of(this.open);
		AcquireResult answer = StubStore.admitting(demand);
		this.stub.answers(answer);
		assertThat(this.store.acquire(demand)).isCompletedWithValue(answer);
		assertThat(this.store.name()).isEqualTo("stub");
	}

	@Test
	void handsOnAnAnswerThatComesInTime() {
		CompletableFuture<AcquireResult> pending = new CompletableFuture<>();
		this.stub.answers(() -> pending);
		AcquireRequest demand = Demands.within(Duration.ofSeconds(30), this.closed);
		CompletableFuture<AcquireResult> guarded = this.store.acquire(demand);
		assertThat(guarded).isNotDone();
		AcquireResult answer = StubStore.admitting(demand);
		pending.complete(answer);
		assertThat(guarded).isCompletedWithValue(answer);
	}

	@Test
	void theDeadlineEndsACall() throws Exception {
		List<Duration> waits = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			long start = System.nanoTime();
			this.store.acquire(demand(this.open)).get(30, TimeUnit.SECONDS);
			waits.add(Duration.ofNanos(System.nanoTime() - start));
		}
		assertThat(waits).allMatch((wait) -> wait.compareTo(DEADLINE) >= 0);
		assertThat(this.store.status().errors(Kind.TIMEOUT) + this.store.status().errors(Kind.STARVED))
			.isEqualTo(waits.size());
	}

	@Test
	void aCallWithALongDeadlineDoesNotHoldUpAShorterOne() {
		this.store.acquire(Demands.within(Duration.ofMinutes(1), this.open));
		assertThat(this.store.acquire(demand(this.open))).succeedsWithin(Duration.ofSeconds(30));
	}

	@Test
	void aCallerThatTakesItsTimeHoldsUpNoOtherDeadline() {
		CompletableFuture<Void> release = new CompletableFuture<>();
		Thread test = Thread.currentThread();
		this.store.acquire(demand(this.open)).thenRun(() -> {
			// This runs on the thread of the test if the call is over already.
			if (Thread.currentThread() != test) {
				release.join();
			}
		});
		assertThat(this.store.acquire(Demands.within(DEADLINE.multipliedBy(2), this.open)))
			.succeedsWithin(Duration.ofSeconds(30));
		release.complete(null);
	}

	@Test
	void anOpenRuleIsCountedHere() {
		AcquireResult answer = answerTo(demand(this.open));
		assertThat(answer.source()).isEqualTo(Source.FALLBACK);
		assertThat(answer.verdicts().get(0).outcome()).isEqualTo(Outcome.ALLOWED);
		assertThat(answer.verdicts().get(0).remaining()).isEqualTo(8);
	}

	@Test
	void aClosedRuleRejectsUntilTheNextProbe() {
		AcquireResult answer = answerTo(demand(this.closed));
		assertFallback(answer, false, Verdict.unmeasured(this.family.policy(), Outcome.FAILED_CLOSED, 3, 7000));
	}

	@Test
	void rulesOfOneRequestGoEachByItsOwnPolicyAndTheRequestNeedsAll() {
		AcquireResult answer = answerTo(demand(this.open, this.closed));
		assertFallback(answer, false, Verdict.unmeasured(this.family.policy(), Outcome.SKIPPED, 2, 0),
				Verdict.unmeasured(this.family.policy(), Outcome.FAILED_CLOSED, 3, 7000));
	}

	@Test
	void aRuleThatOnlyWatchesNeverRejects() {
		Charge watching = new Charge(this.closed.bucket(), 3, this.closed.failure(), Stance.WATCHING, false);
		AcquireResult answer = answerTo(demand(watching));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_OPEN);
	}

	@ParameterizedTest
	@EnumSource
	void aFailureIsAnsweredAtOnceAndCountedByKind(Kind kind) {
		this.stub.fails(kind);
		try (GuardedLimitStore patient = guarded(Duration.ofMinutes(1))) {
			assertThat(patient.acquire(Demands.of(this.open)))
				.isCompletedWithValueMatching((answer) -> answer.source() == Source.FALLBACK && answer.allowed());
			for (Kind each : Kind.values()) {
				assertThat(patient.status().errors(each)).as(each.name()).isEqualTo((each == kind) ? 1 : 0);
			}
			assertThat(patient.status().lastFailure()).isEqualToIgnoringCase(kind + ": as told");
		}
	}

	@Test
	void aStoreThatThrowsHasFailed() {
		this.stub.answers(() -> {
			throw new IllegalStateException("thrown");
		});
		assertThat(this.store.acquire(Demands.of(this.open)))
			.isCompletedWithValueMatching((answer) -> answer.source() == Source.FALLBACK);
		assertThat(this.store.status().errors(Kind.OTHER)).isEqualTo(1);
	}

	@Test
	void anAnswerAfterTheDeadlineIsIgnored() {
		CompletableFuture<AcquireResult> pending = new CompletableFuture<>();
		this.stub.answers(() -> pending);
		AcquireRequest demand = demand(this.closed);
		CompletableFuture<AcquireResult> guarded = this.store.acquire(demand);
		AcquireResult told = guarded.orTimeout(30, TimeUnit.SECONDS).join();
		pending.complete(StubStore.admitting(demand));
		assertThat(guarded).isCompletedWithValue(told);
		assertThat(told.source()).isEqualTo(Source.FALLBACK);
	}

	@Test
	void aFailureAfterTheDeadlineIsNotCountedAgain() {
		CompletableFuture<AcquireResult> pending = new CompletableFuture<>();
		this.stub.answers(() -> pending);
		this.store.acquire(demand(this.open)).orTimeout(30, TimeUnit.SECONDS).join();
		pending.completeExceptionally(new StoreException(Kind.CONNECTION, "late", null));
		assertThat(this.store.status().errors(Kind.TIMEOUT) + this.store.status().errors(Kind.STARVED)).isEqualTo(1);
		assertThat(this.store.status().errors(Kind.CONNECTION)).isZero();
	}

	private GuardedLimitStore guarded(Duration timeout) {
		return Guards.of(this.stub, this.stub, 1, new GuardSettings(PROBE_INTERVAL, timeout, Integer.MAX_VALUE),
				(event) -> {
				});
	}

	private AcquireResult answerTo(AcquireRequest demand) {
		this.stub.stalls();
		return this.store.acquire(demand).orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static void assertFallback(AcquireResult answer, boolean allowed, Verdict... verdicts) {
		assertThat(answer.allowed()).isEqualTo(allowed);
		assertThat(answer.source()).isEqualTo(Source.FALLBACK);
		assertThat(answer.verdicts()).containsExactly(verdicts);
	}

	private static AcquireRequest demand(Charge... charges) {
		return Demands.within(DEADLINE, charges);
	}

}
