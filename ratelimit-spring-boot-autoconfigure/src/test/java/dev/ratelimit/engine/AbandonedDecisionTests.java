package dev.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.RuleBuilder;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers that go away before the store has answered.
 */
class AbandonedDecisionTests {

	private final SlowStore store = new SlowStore();

	private final RateLimitEngine engine = new RateLimitEngine(this.store, Duration.ofSeconds(1), "secret",
			IdempotencySettings.DEFAULT, List.of());

	@Test
	void whatTheStoreAdmitsAfterwardsIsNotHeld() {
		this.engine.use(RuleSet.EMPTY.next(List.of(RuleBuilder.rule("jobs", "3").algorithm("concurrency").build(),
				RuleBuilder.rule("requests", "3/h").build())));
		Disposable jobs = this.engine.acquire("jobs", "user:a").subscribe();
		Disposable requests = this.engine.acquire("requests", "user:a").subscribe();
		jobs.dispose();
		requests.dispose();
		assertThat(this.store.settled).isEmpty();
		this.store.gate.complete(null);
		assertThat(this.store.settled).extracting(Settlement::units).containsExactly(-1L);
	}

	@Test
	void whoHasTheDecisionKeepsWhatItHolds() {
		this.engine.use(RuleSet.EMPTY.next(List.of(RuleBuilder.rule("jobs", "3").algorithm("concurrency").build())));
		CompletableFuture<Boolean> allowed = new CompletableFuture<>();
		this.engine.acquire("jobs", "user:a").flux().next().subscribe((decision) -> allowed.complete(true));
		this.store.gate.complete(null);
		assertThat(allowed).isCompletedWithValue(true);
		assertThat(this.store.settled).isEmpty();
	}

	/**
	 * Answers when the gate is open.
	 */
	private static final class SlowStore implements LimitStore {

		private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 1000);

		private final CompletableFuture<Void> gate = new CompletableFuture<>();

		private List<Settlement> settled = List.of();

		@Override
		public String name() {
			return "slow";
		}

		@Override
		public CompletableFuture<Answer> acquire(Demand demand) {
			return this.gate.thenCompose((open) -> this.store.acquire(demand));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			this.settled = settlements;
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
