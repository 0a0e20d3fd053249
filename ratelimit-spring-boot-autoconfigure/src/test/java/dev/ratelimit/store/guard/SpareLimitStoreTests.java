package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.test.Guards;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SpareLimitStoreTests {

	private final Silent silent = new Silent();

	private final GuardedLimitStore guard = Guards.of(this.silent, Guards.node("silent", () -> {
	}), Duration.ofHours(1), (event) -> {
	});

	private final SpareLimitStore spare = new SpareLimitStore(this.silent, this.guard, 2);

	@AfterEach
	void close() {
		this.guard.close();
	}

	@Test
	void onlySoManyAreSentAtATime() {
		CompletableFuture<AcquireResult> first = acquire();
		acquire();
		assertThat(acquire()).isCompletedExceptionally();
		assertThat(this.silent.asked).hasSize(2);
		this.silent.asked.get(0).completeExceptionally(new StoreException(StoreException.Kind.TIMEOUT, "late", null));
		assertThat(first).isCompletedExceptionally();
		assertThat(acquire()).isNotDone();
		assertThat(this.silent.asked).hasSize(3);
	}

	@Test
	void failedCallsDoNotChangeTheGuard() {
		for (int i = 0; i < 100; i++) {
			acquire();
			this.silent.asked.get(i)
				.completeExceptionally(new StoreException(StoreException.Kind.CONNECTION, "gone", null));
		}
		assertThat(this.guard.status().circuit()).isEqualTo(CircuitBreaker.State.CLOSED);
		assertThat(this.guard.status().lastFailure()).isEmpty();
	}

	private CompletableFuture<AcquireResult> acquire() {
		return this.spare.acquire(Demands.of(Demands.charge(Demands.perMinute("search", 5), "user:1", 1)));
	}

	/**
	 * A store that never responds by itself.
	 */
	private static final class Silent implements StoreStage {

		private final List<CompletableFuture<AcquireResult>> asked = new ArrayList<>();

		@Override
		public String name() {
			return "silent";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			CompletableFuture<AcquireResult> answer = new CompletableFuture<>();
			this.asked.add(answer);
			return answer;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
