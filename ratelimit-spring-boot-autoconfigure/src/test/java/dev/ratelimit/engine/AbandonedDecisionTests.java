package dev.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Decision;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.test.Parallel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests subscribers that cancel before the store has responded.
 */
class AbandonedDecisionTests {

	private final SlowStore store = new SlowStore();

	private final RateLimitEngine engine = Engines.of(this.store);

	@Test
	void decisionAllowedAfterCancelIsRefunded() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("jobs").limits("3").algorithm("concurrency").build(),
					RuleBuilder.rule("requests").limits("3/h").build()));
		Disposable jobs = this.engine.acquire("jobs", "user:a").subscribe();
		Disposable requests = this.engine.acquire("requests", "user:a").subscribe();
		jobs.dispose();
		requests.dispose();
		assertThat(this.store.settled).isEmpty();
		this.store.gate.complete(null);
		assertThat(this.store.settled).extracting(Settlement::units).containsExactlyInAnyOrder(-1L, -1L);
	}

	@Test
	void undeliveredDecisionIsRefunded() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("jobs").limits("3").algorithm("concurrency").build()));
		for (boolean answered : new boolean[] { false, true }) {
			this.store.settled.clear();
			Waiting subscriber = new Waiting();
			this.engine.acquire("jobs", "user:a").subscribe(subscriber);
			if (answered) {
				this.store.gate.complete(null);
			}
			subscriber.cancel();
			this.store.gate.complete(null);
			assertThat(this.store.settled).extracting(Settlement::units).containsExactly(-1L);
			this.store.gate = new CompletableFuture<>();
		}
	}

	@Test
	void eachDecisionIsEitherDeliveredOrRefunded() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("jobs").limits("1000").algorithm("concurrency").build()));
		AtomicInteger handedOver = new AtomicInteger();
		for (int i = 0; i < 500; i++) {
			this.store.gate = new CompletableFuture<>();
			CompletableFuture<Void> gate = this.store.gate;
			BaseSubscriber<Decision> job = new BaseSubscriber<>() {

				@Override
				protected void hookOnNext(Decision decision) {
					handedOver.incrementAndGet();
				}

			};
			this.engine.acquire("jobs", "user:a").subscribe(job);
			Parallel.run(2, (thread) -> {
				if (thread == 0) {
					gate.complete(null);
				}
				else {
					job.dispose();
				}
				return thread;
			});
		}
		Awaitility.await().until(() -> handedOver.get() + this.store.settled.size() == 500);
	}

	@Test
	void deliveredDecisionKeepsItsSlot() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("jobs").limits("3").algorithm("concurrency").build()));
		CompletableFuture<Boolean> allowed = new CompletableFuture<>();
		this.engine.acquire("jobs", "user:a").flux().next().subscribe((decision) -> allowed.complete(true));
		this.store.gate.complete(null);
		assertThat(allowed).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(this.store.settled).isEmpty();
	}

	/**
	 * A subscriber that requests no decision.
	 */
	private static final class Waiting extends BaseSubscriber<Decision> {

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
		}

	}

	/**
	 * A store that responds after its gate is open.
	 */
	private static final class SlowStore implements LimitStore {

		private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 1000);

		private volatile CompletableFuture<Void> gate = new CompletableFuture<>();

		private final List<Settlement> settled = new CopyOnWriteArrayList<>();

		@Override
		public String name() {
			return "slow";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			return this.gate.thenCompose((open) -> this.store.acquire(demand));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			this.settled.addAll(settlements);
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
