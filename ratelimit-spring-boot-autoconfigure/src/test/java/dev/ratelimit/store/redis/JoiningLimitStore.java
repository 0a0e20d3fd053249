package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.JointFamilies;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;

/**
 * A store that adds a second, uncharged limit to each limit, so that all state is in
 * joint keys.
 */
record JoiningLimitStore(StoreStage store, Map<BucketFamily, BucketFamily> joined) implements StoreStage {

	JoiningLimitStore(StoreStage store) {
		this(store, new ConcurrentHashMap<>());
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		List<Charge> charges = demand.charges().stream().map(this::joined).toList();
		return this.store.acquire(new AcquireRequest(charges, demand.marker(), demand.deadlineNanos()));
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult answer) {
		return this.store.release(answer);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.store.settle(settlements.stream()
			.map((one) -> new Settlement(joined(one.bucket()), one.takenAtMillis(), one.units()))
			.toList());
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		Map<Bucket, Long> joint = new LinkedHashMap<>();
		held.forEach((bucket, units) -> joint.put(joined(bucket), units));
		return this.store.renew(joint);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.store.returnLease(new LeaseReturn(joined(unspent.bucket()), unspent.holder(),
				unspent.takenAtMillis(), unspent.units(), unspent.millis()));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.store.reset(buckets.stream().map(this::joined).toList());
	}

	private Charge joined(Charge charge) {
		return new Charge(joined(charge.bucket()), charge.cost(), charge.failure(), charge.stance(),
				charge.replayable(), charge.consistency(), charge.lease());
	}

	private Bucket joined(Bucket bucket) {
		return new Bucket(joined(bucket.family()), bucket.subject());
	}

	private BucketFamily joined(BucketFamily family) {
		BucketFamily known = this.joined.get(family);
		if (known == null) {
			known = JointFamilies.join(List.of(family, second(family))).get(0);
			if (!family.formers().isEmpty()) {
				known = inPlaceOfFormers(known, family.formers());
			}
			this.joined.put(family, known);
		}
		return known;
	}

	private BucketFamily inPlaceOfFormers(BucketFamily joint, List<FormerLimit> formers) {
		int oldest = formers.size() - 1;
		BucketFamily before = joined(formers.get(oldest).family());
		for (int i = oldest; i > 0; i--) {
			before = joined(formers.get(i - 1).family()).replacing(before, formers.get(i).change());
		}
		return joint.replacing(before, formers.get(0).change());
	}

	private static BucketFamily second(BucketFamily family) {
		Limit limit = new Limit("gcra", 7, Duration.ofDays(11), 7);
		Policy policy = new Policy("second", family.policy().ruleId(), limit, Policy.Unit.REQUESTS, false);
		return new BucketFamily(policy, Algorithms.of(limit), family.scope());
	}

}
