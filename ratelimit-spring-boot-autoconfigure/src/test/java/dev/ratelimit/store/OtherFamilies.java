package dev.ratelimit.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A store that replaces the bucket family of each limit. The tests of the contract do not
 * know the other families.
 *
 * @param next the store
 * @param change returns the other family for a family
 */
public record OtherFamilies(StoreStage next, UnaryOperator<BucketFamily> change) implements StoreStage {

	@Override
	public String name() {
		return this.next.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.next.acquire(new AcquireRequest(request.charges().stream().map(this::changed).toList(),
				request.marker(), request.deadlineNanos(), request.hasWaited()));
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return this.next.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.next.settle(settlements.stream()
			.map((one) -> new Settlement(changed(one.bucket()), one.takenAtMillis(), one.units()))
			.toList());
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.next.returnLease(new LeaseReturn(changed(unspent.bucket()), unspent.holder(),
				unspent.takenAtMillis(), unspent.units(), unspent.millis()));
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.next.renew(held.entrySet()
			.stream()
			.collect(Collectors.toMap((entry) -> changed(entry.getKey()), Map.Entry::getValue)));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.next.reset(buckets.stream().map(this::changed).toList());
	}

	private Charge changed(Charge charge) {
		return new Charge(changed(charge.bucket()), charge.cost(), charge.failure(), charge.stance(),
				charge.replayable(), charge.consistency(), charge.lease());
	}

	private Bucket changed(Bucket bucket) {
		return new Bucket(this.change.apply(bucket.family()), bucket.subject());
	}

}
