package dev.ratelimit.store.route;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the stage before several stores. A request that uses only the default store
 * is sent to it directly. Any other request is split by store and slot, and each part is
 * sent to the store of its limits. Thread-safe.
 */
public final class RoutedLimitStore implements LocalLimitStore {

	private final StoreStage usual;

	private final StoreStage split;

	private final @Nullable LocalLimitStore memory;

	/**
	 * Create a stage before several stores.
	 * @param usual the default store, with the stages that split its requests
	 * @param routes all stores including the default store, which process requests on one
	 * slot
	 * @param splitter creates a stage that splits requests by slot before a store
	 */
	public RoutedLimitStore(StoreStage usual, List<StoreRoute> routes,
			BiFunction<StoreStage, BucketSlots, StoreStage> splitter) {
		this.usual = usual;
		this.split = splitter.apply(new PerStore(usual.name(), byName(routes)), new StoreSlots(routes));
		this.memory = routes.stream()
			.filter(StoreRoute::local)
			.map(StoreRoute::store)
			.filter(LocalLimitStore.class::isInstance)
			.map(LocalLimitStore.class::cast)
			.findFirst()
			.orElse(null);
	}

	private static Map<String, StoreRoute> byName(List<StoreRoute> routes) {
		Map<String, StoreRoute> byName = new HashMap<>();
		routes.forEach((route) -> byName.put(route.name(), route));
		return Map.copyOf(byName);
	}

	@Override
	public String name() {
		return this.usual.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return of(request).acquire(request);
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		return (this.memory != null && family.isLocal())
				? this.memory.chargeLocally(family, subject, cost, terms, reservation) : null;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return of(result.request()).release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		for (Settlement settlement : settlements) {
			if (!isUsual(settlement.bucket())) {
				return this.split.settle(settlements);
			}
		}
		return this.usual.settle(settlements);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return ((isUsual(unspent.bucket())) ? this.usual : this.split).returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return of(held.keySet()).renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return of(buckets).reset(buckets);
	}

	private StoreStage of(AcquireRequest request) {
		List<Charge> charges = request.charges();
		for (int i = 0; i < charges.size(); i++) {
			if (!isUsual(charges.get(i).bucket())) {
				return this.split;
			}
		}
		return this.usual;
	}

	private StoreStage of(Collection<Bucket> buckets) {
		return (buckets.stream().allMatch(RoutedLimitStore::isUsual)) ? this.usual : this.split;
	}

	private static boolean isUsual(Bucket bucket) {
		return bucket.family().store().equals(BucketFamily.DEFAULT_STORE);
	}

	/**
	 * The slots of the buckets of all stores. Each store has its own range of slots.
	 */
	private static final class StoreSlots implements BucketSlots {

		/** The number of slots of a Redis Cluster. */
		private static final int SLOTS = 16_384;

		private final Map<String, StoreRoute> routes;

		private final Map<String, Integer> firstSlots = new HashMap<>();

		StoreSlots(List<StoreRoute> routes) {
			this.routes = byName(routes);
			routes.forEach((route) -> this.firstSlots.put(route.name(), this.firstSlots.size() * SLOTS));
		}

		@Override
		public int slotOf(Bucket bucket) {
			String store = bucket.family().store();
			return Objects.requireNonNull(this.firstSlots.get(store), store)
					+ route(store).slots().map((slots) -> slots.slotOf(bucket)).orElse(0);
		}

		@Override
		public boolean together(Bucket one, Bucket other) {
			String store = one.family().store();
			return store.equals(other.family().store())
					&& route(store).slots().map((slots) -> slots.together(one, other)).orElse(true);
		}

		@Override
		public boolean isLocal(Bucket bucket) {
			return route(bucket.family().store()).local();
		}

		private StoreRoute route(String store) {
			return Objects.requireNonNull(this.routes.get(store), store);
		}

	}

	/**
	 * Processes requests on one slot of one store.
	 *
	 * @param name the name of the default store
	 * @param routes all stores by name
	 */
	private record PerStore(String name, Map<String, StoreRoute> routes) implements StoreStage {

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			StoreRoute route = route(request.charges().get(0).bucket());
			return route.store()
				.acquire((route.beyondNanos() != 0) ? request.until(request.deadlineNanos() + route.beyondNanos())
						: request);
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			return store(result.request().charges().get(0).bucket()).release(result);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return store(settlements.get(0).bucket()).settle(settlements);
		}

		@Override
		public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
			return store(unspent.bucket()).returnLease(unspent);
		}

		@Override
		public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
			return store(held.keySet().iterator().next()).renew(held);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return store(buckets.get(0)).reset(buckets);
		}

		private StoreStage store(Bucket bucket) {
			return route(bucket).store();
		}

		// Each set of rules is checked before it becomes active, so its stores exist.
		private StoreRoute route(Bucket bucket) {
			String store = bucket.family().store();
			return Objects.requireNonNull(this.routes.get(store), store);
		}

	}

}
