package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.ratelimit.Consistency;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.JointFamilies;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;

/**
 * Runs every script that a rule needs once on small buckets of nobody's: an admission, a
 * rejection, corrections, a lease, a retry. The buckets are deleted afterwards.
 */
final class ScriptTrial {

	private static final int LEASE_MILLIS = 1000;

	private final LimitStore store;

	private final ScriptUse use;

	private final List<Bucket> buckets = new ArrayList<>();

	private final Duration patience;

	private final Time time;

	ScriptTrial(LimitStore store, RedisNodes nodes, ScriptUse use, String node, Duration patience, Time time) {
		this.store = store;
		this.use = use;
		this.patience = patience;
		this.time = time;
		// Other instances have buckets of their own: they would change what scripts see.
		String name = "self-test-" + UUID.randomUUID();
		List<BucketFamily> families = new ArrayList<>();
		for (int i = 0; i < use.algorithms().size(); i++) {
			families.add(TestFamilies.tight(use.algorithms().get(i), i + 1));
		}
		String subject = nodes.testBucket(families.get(0), node, name).subject();
		JointFamilies.join(families).forEach((family) -> this.buckets.add(new Bucket(family, subject)));
	}

	/**
	 * Run the scripts.
	 * @throws dev.ratelimit.store.StoreException if one of them fails
	 */
	void run() {
		AcquireResult first = decide((charge) -> charge);
		decide((charge) -> charge);
		correct(this.buckets, first.atMillis(), -1);
		correct(this.buckets.subList(0, 1), first.atMillis(), 1);
		if (this.use.leased()) {
			lease();
		}
		renew();
		if (this.use.replayed()) {
			await(this.store.release(replay()));
		}
		await(this.store.reset(this.buckets));
	}

	private AcquireResult decide(UnaryOperator<Charge> change) {
		return await(this.store.acquire(request(Optional.empty(), change)));
	}

	private AcquireResult replay() {
		ReplayMarker marker = new ReplayMarker(this.buckets.get(0).subject(), UUID.randomUUID().toString(),
				LEASE_MILLIS, 1, 10);
		await(this.store.acquire(request(Optional.of(marker), (charge) -> charge)));
		return await(this.store.acquire(request(Optional.of(marker), (charge) -> charge)));
	}

	private void lease() {
		LeaseRequest lease = new LeaseRequest(UUID.randomUUID().toString(), 1, 0, LEASE_MILLIS);
		AcquireResult result = decide((charge) -> (charge.bucket().family().arithmetic().supportsLeasing())
				? charge.with(Consistency.LEASED).leasing(1, lease) : charge);
		for (Bucket bucket : this.buckets) {
			if (bucket.family().arithmetic().supportsLeasing()) {
				await(this.store
					.returnLease(new LeaseReturn(bucket, lease.holder(), result.atMillis(), 1, LEASE_MILLIS)));
			}
		}
	}

	private void renew() {
		Map<Bucket, Long> held = this.buckets.stream()
			.filter(TestFamilies::hasSlots)
			.collect(Collectors.toMap(Function.identity(), (bucket) -> 1L));
		if (!held.isEmpty()) {
			await(this.store.renew(held));
		}
	}

	private void correct(List<Bucket> charged, long takenAtMillis, long units) {
		await(this.store
			.settle(charged.stream().map((bucket) -> new Settlement(bucket, takenAtMillis, units)).toList()));
	}

	private AcquireRequest request(Optional<ReplayMarker> marker, UnaryOperator<Charge> change) {
		List<Charge> charges = this.buckets.stream()
			.map((bucket) -> change
				.apply(this.use.charge(bucket, marker.isPresent() && !bucket.family().policy().concurrent())))
			.toList();
		return new AcquireRequest(charges, marker, this.time.nanos() + this.patience.toNanos());
	}

	private <T> T await(CompletableFuture<T> result) {
		return RedisFailures.await(result, this.patience);
	}

}
