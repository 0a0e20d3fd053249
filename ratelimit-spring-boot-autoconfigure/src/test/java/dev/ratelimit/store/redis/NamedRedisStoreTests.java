package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.route.RoutedLimitStore;
import dev.ratelimit.store.route.StoreRoute;
import dev.ratelimit.store.slot.SlottedLimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * What holds for all stores holds for one that limits name, beside a default store that
 * nothing is counted in.
 */
@RedisTest
class NamedRedisStoreTests extends AbstractRedisStoreTests {

	private static final String NAME = "acme";

	private final StoreStage store = new Moved(routed(clockedStore()));

	private static RoutedLimitStore routed(RedisLimitStore named) {
		MemoryLimitStore usual = new MemoryLimitStore(1, () -> 0);
		return new RoutedLimitStore(usual,
				List.of(StoreRoute.called(BucketFamily.DEFAULT_STORE, usual, Optional.empty(), 0),
						StoreRoute.called(NAME, named, Optional.empty(), 0)),
				(perSlot, slots) -> new SlottedLimitStore(perSlot, slots, Time.SYSTEM));
	}

	@Override
	public LimitStore store() {
		return this.store;
	}

	/**
	 * Moves all limits to the named store.
	 *
	 * @param next the stores
	 */
	private record Moved(StoreStage next) implements StoreStage {

		@Override
		public String name() {
			return this.next.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.next.acquire(new AcquireRequest(request.charges().stream().map(Moved::moved).toList(),
					request.marker(), request.deadlineNanos(), request.hasWaited()));
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			return this.next.release(result);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.next.settle(settlements.stream()
				.map((one) -> new Settlement(moved(one.bucket()), one.takenAtMillis(), one.units()))
				.toList());
		}

		@Override
		public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
			return this.next.returnLease(new LeaseReturn(moved(unspent.bucket()), unspent.holder(),
					unspent.takenAtMillis(), unspent.units(), unspent.millis()));
		}

		@Override
		public CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
			return this.next.renew(held.entrySet()
				.stream()
				.collect(Collectors.toMap((entry) -> moved(entry.getKey()), Map.Entry::getValue)));
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.next.reset(buckets.stream().map(Moved::moved).toList());
		}

		private static Charge moved(Charge charge) {
			return new Charge(moved(charge.bucket()), charge.cost(), charge.failure(), charge.stance(),
					charge.replayable(), charge.consistency(), charge.lease());
		}

		private static Bucket moved(Bucket bucket) {
			return new Bucket(bucket.family().in(NAME), bucket.subject());
		}

	}

}
