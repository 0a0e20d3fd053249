package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.ReactorLimits;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Verdict;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.groups.Tuple;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests decisions for code: on several rules at once, on the correct threads, and with
 * blocking calls.
 */
class RateLimiterTests {

	private static final String STORE_THREAD = "store-event-loop";

	private final ThreadedStore store = new ThreadedStore();

	@Test
	void severalRulesAreOneDecisionAndOneCallOfTheStore() {
		RateLimiter limiter = limiter(RuleBuilder.rule("user").limits("10/min").cost("2"),
				RuleBuilder.rule("tenant").limits("20/min", "100/h"));
		Decision decision = acquire(limiter, RuleCharge.of("user", "user:a"), RuleCharge.of("tenant", "tenant:b", 5));
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.verdicts()).extracting((verdict) -> verdict.policy().ruleId(), Verdict::remaining)
			.containsExactly(Tuple.tuple("user", 8L), Tuple.tuple("tenant", 15L), Tuple.tuple("tenant", 95L));
		assertThat(this.store.calls).hasValue(1);
	}

	@Test
	void rejectionByOneRuleChargesNoRule() {
		RateLimiter limiter = limiter(RuleBuilder.rule("user").limits("10/min"),
				RuleBuilder.rule("tenant").limits("2/min"));
		Decision rejected = acquire(limiter, RuleCharge.of("user", "user:a"), RuleCharge.of("tenant", "tenant:b", 3));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.ALLOWED, Outcome.REJECTED);
		assertThat(acquire(limiter, RuleCharge.of("user", "user:a", 0)).verdicts()).extracting(Verdict::remaining)
			.containsExactly(10L);
	}

	@Test
	void oneReservationRefundsAllRules() {
		RateLimiter limiter = limiter(RuleBuilder.rule("user").limits("10/min"),
				RuleBuilder.rule("tenant").limits("2/min"));
		acquire(limiter, RuleCharge.of("user", "user:a", 4), RuleCharge.of("tenant", "tenant:b")).reservation()
			.cancel()
			.toCompletableFuture()
			.join();
		assertThat(acquire(limiter, RuleCharge.of("user", "user:a", 0), RuleCharge.of("tenant", "tenant:b", 0)))
			.extracting(Decision::verdicts)
			.satisfies((verdicts) -> assertThat(verdicts).extracting(Verdict::remaining).containsExactly(10L, 2L));
	}

	@Test
	void disabledRulesAreSkipped() {
		RateLimiter limiter = limiter(RuleBuilder.rule("user").limits("10/min"),
				RuleBuilder.rule("tenant").limits("1/h").mode(RuleMode.OFF));
		assertThat(acquire(limiter, RuleCharge.of("tenant", "tenant:b", 5), RuleCharge.of("user", "user:a")).verdicts())
			.extracting((verdict) -> verdict.policy().ruleId())
			.containsExactly("user");
		assertThat(acquire(limiter, RuleCharge.of("tenant", "tenant:b", 5))).isEqualTo(Decision.UNMATCHED);
		assertThat(acquire(limiter)).isEqualTo(Decision.UNMATCHED);
	}

	@Test
	void unknownRulesAndRulesThatAreChargedTwiceAreRejected() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		RuleCharge a = RuleCharge.of("a", "user:a");
		List<RuleCharge> twice = List.of(a, RuleCharge.of("a", "user:b"));
		List<RuleCharge> unknown = List.of(a, RuleCharge.of("b", "user:a"));
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquireBlocking(twice))
			.withMessage("rule 'a' is charged twice");
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire(twice).block());
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquireBlocking(unknown))
			.withMessage("there is no rule 'b'; the rules are [a]");
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire(unknown).block());
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquireBlocking("a", "user:a", -1))
			.withMessage("'cost' (-1) must not be negative");
		assertThat(this.store.calls).hasValue(0);
	}

	@Test
	void blockingFormsReturnTheDecision() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min").cost("2"),
				RuleBuilder.rule("b").limits("1/min"));
		for (Executor executor : List.<Executor>of(Runnable::run, ThreadedStore::later)) {
			this.store.executor = executor;
			String subject = "user:" + executor.hashCode();
			assertThat(limiter.acquireBlocking("a", subject).verdicts()).extracting(Verdict::remaining)
				.containsExactly(8L);
			assertThat(limiter.acquireBlocking("a", subject, 3).verdicts()).extracting(Verdict::remaining)
				.containsExactly(5L);
			assertThat(limiter.acquireBlocking(List.of(RuleCharge.of("a", subject), RuleCharge.of("b", subject, 2)))
				.allowed()).isFalse();
		}
	}

	@Test
	void aLeakyBucketDelaysTheElementsOfAStream() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("20/s burst 4").algorithm("leaky-bucket"));
		long startNanos = System.nanoTime();
		assertThat(Flux.range(0, 4)
			.transformDeferred(ReactorLimits.each(limiter, "a", "user:a", Duration.ZERO))
			.collectList()
			.block()).containsExactly(0, 1, 2, 3);
		assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(Duration.ofMillis(120));
	}

	@Test
	void blockingFormsRejectThreadsThatMustNotBlock() throws InterruptedException {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		Mono<Decision> onParallel = Mono.fromCallable(() -> limiter.acquireBlocking("a", "user:a"))
			.subscribeOn(Schedulers.parallel());
		assertThatIllegalStateException().isThrownBy(onParallel::block)
			.withMessageMatching("acquireBlocking\\(…\\) was called on the thread 'parallel-\\d+', which must not"
					+ " block: use acquire\\(…\\), or call it on Schedulers.boundedElastic\\(\\)");
		CompletableFuture<Decision> onEventLoop = new CompletableFuture<>();
		Thread eventLoop = new Thread(() -> onEventLoop
			.completeAsync(() -> limiter.acquireBlocking(List.of(RuleCharge.of("a", "user:a"))), Runnable::run),
				"lettuce-nioEventLoop-4-1");
		eventLoop.start();
		eventLoop.join();
		assertThat(onEventLoop).isCompletedExceptionally();
		assertThat(this.store.calls).hasValue(0);
		assertThat(Mono.fromCallable(() -> limiter.acquireBlocking("a", "user:a"))
			.subscribeOn(Schedulers.boundedElastic())
			.block()).isNotNull();
	}

	@Test
	void blockingEndsAlsoIfTheStoreNeverAnswers() {
		this.store.executor = (never) -> {
		};
		RateLimitEngine engine = engine(Duration.ofMillis(50));
		engine.editions().adopt(List.of(RuleBuilder.rule("a").limits("10/min").build()));
		// The failure policy of the rule applies after 250 ms at the latest.
		String message = "The store did not complete a decision within 5250 ms";
		CompletableFuture<Decision> waiting = CompletableFuture
			.supplyAsync(() -> engine.acquireBlocking("a", "user:b", 1, Duration.ZERO));
		assertThatIllegalStateException().isThrownBy(() -> engine.acquireBlocking("a", "user:a")).withMessage(message);
		assertThat(waiting).failsWithin(Duration.ofSeconds(30)).withThrowableThat().havingCause().withMessage(message);
	}

	@Test
	void anInterruptedCallerIsRefundedAndStaysInterrupted() {
		List<Runnable> pending = new CopyOnWriteArrayList<>();
		this.store.executor = pending::add;
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		Thread.currentThread().interrupt();
		assertThatIllegalStateException().isThrownBy(() -> limiter.acquireBlocking("a", "user:a", 4))
			.withMessage("Interrupted while waiting for a decision");
		assertThat(Thread.interrupted()).isTrue();
		pending.forEach(Runnable::run);
		assertThat(this.store.settled).extracting(Settlement::units).containsExactly(-4L);
	}

	@Test
	void aStoreThatFailsIsHeardOf() {
		StoreException failure = new StoreException(StoreException.Kind.SCRIPT, "on purpose", null);
		this.store.failure = failure;
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> limiter.acquireBlocking("a", "user:a"))
			.isSameAs(failure);
	}

	@Test
	void decisionsThatAreThereComeOnTheSubscribersThread() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		CompletableFuture<Thread> thread = emission(limiter.acquire("a", "user:a"));
		assertThat(thread).isCompletedWithValue(Thread.currentThread());
	}

	@Test
	void decisionsThatComeLaterNeverComeOnAThreadOfTheStore() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		for (Mono<Decision> decision : List.of(limiter.acquire("a", "user:a"), limiter.peek("a", "user:a"),
				limiter.acquire(List.of(RuleCharge.of("a", "user:a"))))) {
			assertThat(laterEmission(decision)).succeedsWithin(Duration.ofSeconds(10))
				.satisfies((thread) -> assertThat(thread.getName()).startsWith("parallel-"));
		}
	}

	@Test
	void failuresThatComeLaterNeverComeOnAThreadOfTheStore() {
		this.store.failure = new StoreException(StoreException.Kind.SCRIPT, "on purpose", null);
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("10/min"));
		assertThat(laterEmission(limiter.acquire("a", "user:a"))).succeedsWithin(Duration.ofSeconds(10))
			.satisfies((thread) -> assertThat(thread.getName()).startsWith("parallel-"));
	}

	// The store responds only after the subscription, even if this thread is slow.
	private CompletableFuture<Thread> laterEmission(Mono<Decision> decision) {
		List<Runnable> pending = new CopyOnWriteArrayList<>();
		this.store.executor = pending::add;
		CompletableFuture<Thread> emission = emission(decision);
		assertThat(pending).hasSize(1);
		pending.forEach(ThreadedStore::later);
		return emission;
	}

	@Test
	void cancelBeforeHandOverRefunds() {
		RateLimiter limiter = limiter(RuleBuilder.rule("a").limits("1000/min"));
		this.store.executor = ThreadedStore::later;
		AtomicInteger received = new AtomicInteger();
		for (int i = 0; i < 200; i++) {
			Receiver receiver = new Receiver(received);
			limiter.acquire("a", "user:a").subscribe(receiver);
			if (i % 2 == 0) {
				LockSupport.parkNanos(ThreadedStore.DELAY.toNanos());
			}
			receiver.cancel();
		}
		Awaitility.await().until(() -> received.get() + this.store.settled.size() == 200);
	}

	private static CompletableFuture<Thread> emission(Mono<Decision> decision) {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		decision.subscribe((value) -> thread.complete(Thread.currentThread()),
				(failure) -> thread.complete(Thread.currentThread()));
		return thread;
	}

	private static Decision acquire(RateLimiter limiter, RuleCharge... charges) {
		return Objects.requireNonNull(limiter.acquire(List.of(charges)).block());
	}

	private RateLimiter limiter(RuleBuilder... rules) {
		RateLimitEngine engine = engine(Duration.ofSeconds(30));
		engine.editions().adopt(Arrays.stream(rules).map(RuleBuilder::build).toList());
		return engine;
	}

	private RateLimitEngine engine(Duration deadline) {
		return Engines.of(this.store, deadline, List.of());
	}

	/**
	 * A subscriber that counts each decision that it is given. Those of Reactor drop a
	 * decision if they are canceled while it is on its way through them.
	 */
	private static final class Receiver implements CoreSubscriber<Decision> {

		private final AtomicInteger received;

		private Subscription subscription = Operators.emptySubscription();

		Receiver(AtomicInteger received) {
			this.received = received;
		}

		void cancel() {
			this.subscription.cancel();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.subscription = subscription;
			subscription.request(1);
		}

		@Override
		public void onNext(Decision decision) {
			this.received.incrementAndGet();
		}

		@Override
		public void onError(Throwable failure) {
			throw new AssertionError(failure);
		}

		@Override
		public void onComplete() {
		}

	}

	/**
	 * A store that responds on a configurable executor.
	 */
	private static final class ThreadedStore implements LimitStore {

		private static final Duration DELAY = Duration.ofMillis(2);

		private final MemoryLimitStore memory = new MemoryLimitStore(100, () -> 1000);

		private final AtomicInteger calls = new AtomicInteger();

		private final List<Settlement> settled = new CopyOnWriteArrayList<>();

		private volatile Executor executor = Runnable::run;

		private volatile @Nullable StoreException failure;

		static void later(Runnable task) {
			Thread thread = new Thread(() -> {
				try {
					Thread.sleep(DELAY.toMillis());
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				task.run();
			}, STORE_THREAD);
			thread.setDaemon(true);
			thread.start();
		}

		@Override
		public String name() {
			return "threaded";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			this.calls.incrementAndGet();
			CompletableFuture<AcquireResult> answer = new CompletableFuture<>();
			this.executor.execute(() -> {
				if (this.failure != null) {
					answer.completeExceptionally(this.failure);
				}
				else {
					answer.complete(this.memory.acquire(demand).join());
				}
			});
			return answer;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			this.settled.addAll(settlements);
			return this.memory.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

}
