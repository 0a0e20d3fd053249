package dev.ratelimit.store.slot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the stage before a store that processes requests on one slot. It splits
 * requests on several slots. The part of each slot is sent separately, all parts at the
 * same time, and either all parts are charged or none. No method blocks. Thread-safe.
 */
public final class SlottedLimitStore implements StoreStage {

	private static final Log logger = LogFactory.getLog(SlottedLimitStore.class);

	private final StoreStage perSlot;

	private final SlotSplitter splitter;

	private final LatelyDenied latelyDenied;

	/**
	 * Create a stage before a store.
	 * @param perSlot the store, which processes requests on one slot
	 * @param slots the slots of buckets
	 * @param time the time
	 */
	public SlottedLimitStore(StoreStage perSlot, BucketSlots slots, Time time) {
		this.perSlot = perSlot;
		this.splitter = new SlotSplitter(slots);
		this.latelyDenied = new LatelyDenied(time);
	}

	@Override
	public String name() {
		return this.perSlot.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		if (request.charges().size() == 1 && request.marker().isEmpty()) {
			return this.perSlot.acquire(request);
		}
		List<SlotPart> parts = this.splitter.split(request);
		if (parts.size() == 1) {
			return this.perSlot.acquire(parts.get(0).request());
		}
		CompositeDecision decision = new CompositeDecision(request, parts, this.splitter.slots, this.perSlot,
				this.latelyDenied);
		decision.start();
		return decision;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		// A stage before one slot may combine results too.
		if (!(result instanceof CombinedResult combined) || this.splitter.split(result.request()).size() == 1) {
			return this.perSlot.release(result);
		}
		return all(combined.parts().stream().map(AcquireResultPart::result).filter(AcquireResult::changed).toList(),
				this.perSlot::release);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return all(this.splitter.bySlot(settlements, Settlement::bucket), this.perSlot::settle);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.perSlot.returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		List<CompletableFuture<SlotRenewal>> parts = this.splitter
			.bySlot(List.copyOf(held.keySet()), Function.identity())
			.stream()
			.map((part) -> renewPart(part.stream().collect(Collectors.toMap(Function.identity(), held::get))))
			.toList();
		return all(parts, Function.identity())
			.thenApply((done) -> SlotRenewal.of(parts.stream().map(CompletableFuture::join).toList()));
	}

	// A failure of one slot does not affect the other slots.
	private CompletableFuture<SlotRenewal> renewPart(Map<Bucket, Long> part) {
		return this.perSlot.renew(part).exceptionally((failure) -> {
			logger.debug("Failed to renew slots", failure);
			return SlotRenewal.failed(part.keySet());
		});
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return all(this.splitter.bySlot(buckets, Function.identity()), this.perSlot::reset);
	}

	private static <T> CompletableFuture<Void> all(Collection<T> parts,
			Function<T, ? extends CompletableFuture<?>> call) {
		return CompletableFuture.allOf(parts.stream().map(call).toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Splits a request by the slots of the buckets. The slot of consecutive buckets that
	 * share a slot is computed once.
	 */
	static final class SlotSplitter {

		private final BucketSlots slots;

		SlotSplitter(BucketSlots slots) {
			this.slots = slots;
		}

		/**
		 * Return the parts of a request. Each part with a charge that a replay waives has
		 * its own marker in its own slot, and only that marker counts: a slot waives only
		 * charges that it has made. If one slot has lost its marker or had no capacity
		 * for it, a retry is charged in that slot and free in the other slots.
		 * @param request the request
		 * @return the parts, in the order of their first charges
		 */
		List<SlotPart> split(AcquireRequest request) {
			List<Integer> positions = new ArrayList<>(request.charges().size());
			for (int i = 0; i < request.charges().size(); i++) {
				positions.add(i);
			}
			return bySlot(positions, (position) -> request.charges().get(position).bucket()).stream()
				.map((ofSlot) -> part(request, ofSlot))
				.toList();
		}

		/**
		 * Group elements by the slot of their buckets.
		 * @param <T> the type of the elements
		 * @param things the elements
		 * @param bucket returns the bucket of an element
		 * @return the groups, in the order of their first elements
		 */
		<T> Collection<List<T>> bySlot(List<T> things, Function<T, Bucket> bucket) {
			Map<Integer, List<T>> lists = new LinkedHashMap<>();
			Bucket last = null;
			int slot = 0;
			for (T thing : things) {
				Bucket next = bucket.apply(thing);
				if (last == null || !this.slots.together(last, next)) {
					slot = this.slots.slotOf(next);
				}
				lists.computeIfAbsent(slot, (number) -> new ArrayList<>()).add(thing);
				last = next;
			}
			return lists.values();
		}

		private static SlotPart part(AcquireRequest request, List<Integer> positions) {
			List<Charge> charges = positions.stream().map((position) -> request.charges().get(position)).toList();
			return new SlotPart(
					new AcquireRequest(charges, marker(request, charges), request.deadlineNanos(), request.hasWaited()),
					positions.stream().mapToInt(Integer::intValue).toArray());
		}

		private static Optional<ReplayMarker> marker(AcquireRequest request, List<Charge> charges) {
			Optional<Charge> waivable = charges.stream().filter(Charge::replayable).findFirst();
			return request.marker()
				.flatMap((marker) -> waivable.map((charge) -> new ReplayMarker(charge.bucket().subject(), marker.id(),
						marker.ttlMillis(), marker.maxReplays(), marker.maxMarkers())));
		}

	}

	/**
	 * A request on several slots. Parts are sent at the same time, except that a local or
	 * recently rejected part is sent first if the request takes no slots of
	 * {@code concurrency}. If a part is rejected or fails, the charges of the other parts
	 * are refunded. The result does not wait for the refund, but the refund is sent
	 * before the result is returned, so that it precedes later calls on the same
	 * connection if the server already knows the script of the refund.
	 */
	private static final class CompositeDecision extends CompletableFuture<AcquireResult> {

		private static final int NONE = -1;

		private final AcquireRequest request;

		private final List<SlotPart> parts;

		private final BucketSlots slots;

		private final StoreStage perSlot;

		private final LatelyDenied latelyDenied;

		private final CompositeResults results;

		private final AtomicInteger open = new AtomicInteger();

		CompositeDecision(AcquireRequest request, List<SlotPart> parts, BucketSlots slots, StoreStage perSlot,
				LatelyDenied latelyDenied) {
			this.slots = slots;
			this.request = request;
			this.parts = parts;
			this.perSlot = perSlot;
			this.latelyDenied = latelyDenied;
			this.results = new CompositeResults(parts);
		}

		void start() {
			for (int i = 0; i < this.parts.size() && !takesSlots(); i++) {
				if (isFirst(this.parts.get(i))) {
					callFirst(i);
					return;
				}
			}
			callAllBut(NONE);
		}

		// The charge of a slot must not wait for another part: a renewal meanwhile would
		// already count it, and the request would find its own slot taken.
		private boolean takesSlots() {
			for (Charge charge : this.request.charges()) {
				if (charge.cost() > 0 && charge.bucket().family().policy().concurrent()) {
					return true;
				}
			}
			return false;
		}

		// All buckets of a slot are in the same store, so the first charge represents the
		// part.
		private boolean isFirst(SlotPart part) {
			return this.slots.isLocal(part.request().charges().get(0).bucket())
					|| this.latelyDenied.knows(part.request());
		}

		private void callFirst(int first) {
			this.perSlot.acquire(this.parts.get(first).request()).whenComplete((result, failure) -> {
				this.results.record(first, result, failure);
				// The deadline may have passed by now. Then the guards of the other slots
				// apply the failure policies immediately.
				if (result == null || !result.allowed()) {
					conclude();
				}
				else {
					callAllBut(first);
				}
			});
		}

		private void callAllBut(int called) {
			this.open.set((called == NONE) ? this.parts.size() : this.parts.size() - 1);
			for (int i = 0; i < this.parts.size(); i++) {
				if (i != called) {
					call(i);
				}
			}
		}

		private void call(int part) {
			this.perSlot.acquire(this.parts.get(part).request()).whenComplete((result, failure) -> {
				this.results.record(part, result, failure);
				if (this.open.decrementAndGet() == 0) {
					conclude();
				}
			});
		}

		// A rejection is certain, even if another part failed.
		private void conclude() {
			this.results.rejected().forEach((result) -> this.latelyDenied.record(result.request(), result.verdicts()));
			if (this.results.allowed()) {
				complete(this.results.result(this.request, true));
				return;
			}
			this.results.taken().forEach(this::refund);
			if (this.results.rejected().isEmpty()) {
				completeExceptionally(this.results.failure());
			}
			else {
				complete(this.results.result(this.request, false));
			}
		}

		private void refund(AcquireResult result) {
			this.perSlot.release(result).whenComplete((done, failure) -> {
				if (failure != null) {
					logger.debug("Failed to refund a charge in one slot", failure);
				}
			});
		}

		/**
		 * The results of the parts of a request, and the result of the whole request. The
		 * result of each part is written by one thread. The results are read when all
		 * parts are done.
		 */
		private static final class CompositeResults {

			private final List<SlotPart> parts;

			private final @Nullable AcquireResult[] results;

			private final @Nullable Throwable[] failures;

			CompositeResults(List<SlotPart> parts) {
				this.parts = parts;
				this.results = new AcquireResult[parts.size()];
				this.failures = new Throwable[parts.size()];
			}

			void record(int part, @Nullable AcquireResult result, @Nullable Throwable failure) {
				this.results[part] = result;
				this.failures[part] = failure;
			}

			boolean allowed() {
				return Arrays.stream(this.results).allMatch((result) -> result != null && result.allowed());
			}

			List<AcquireResult> rejected() {
				return Arrays.stream(this.results)
					.filter(Objects::nonNull)
					.filter((result) -> !result.allowed())
					.toList();
			}

			// The results to refund if the whole request is not allowed.
			List<AcquireResult> taken() {
				return Arrays.stream(this.results).filter(Objects::nonNull).filter(AcquireResult::changed).toList();
			}

			// A permanent failure takes precedence over a temporary one.
			StoreException failure() {
				List<StoreException> found = Arrays.stream(this.failures)
					.filter(Objects::nonNull)
					.map(StoreException::of)
					.toList();
				return found.stream()
					.filter((failure) -> failure.kind().isPermanent())
					.findFirst()
					.orElseGet(() -> found.get(0));
			}

			/**
			 * Return the result for the whole request.
			 * @param whole the whole request
			 * @param allowed whether it was allowed; if not, its charges are refunded
			 * @return the result
			 */
			AcquireResult result(AcquireRequest whole, boolean allowed) {
				List<AcquireResultPart> parts = new ArrayList<>(this.results.length);
				for (int i = 0; i < this.results.length; i++) {
					AcquireResult result = this.results[i];
					AcquireResult part = (result != null) ? result : skipped(this.parts.get(i).request());
					parts
						.add(new AcquireResultPart((allowed) ? part : part.withdrawn(), this.parts.get(i).positions()));
				}
				return CombinedResult.of(whole, allowed, replayed(), parts);
			}

			private static AcquireResult skipped(AcquireRequest part) {
				List<Verdict> verdicts = part.charges().stream().map(CompositeResults::skipped).toList();
				return AcquireResult.of(part, true, Source.LOCAL, 0, verdicts);
			}

			private static Verdict skipped(Charge charge) {
				return Verdict.unmeasured(charge.bucket().family().policy(), Outcome.SKIPPED, charge.cost(), 0);
			}

			// If one slot did not know the retry, the retry was charged there.
			private boolean replayed() {
				List<AcquireResult> marked = Arrays.stream(this.results)
					.filter(Objects::nonNull)
					.filter((result) -> result.request().marker().isPresent())
					.toList();
				return !marked.isEmpty() && marked.stream().allMatch(AcquireResult::replayed);
			}

		}

	}

}
