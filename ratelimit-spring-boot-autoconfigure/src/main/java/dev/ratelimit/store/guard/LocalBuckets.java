package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that only this instance counts while the store does not respond: with the
 * full limit or with its share of the limit, depending on the rule's failure policy. If
 * the number of instances changes, the usage of the former share is carried over to the
 * new one. Thread-safe.
 */
final class LocalBuckets {

	private static final int MAX_FAMILIES = 10_000;

	private final IntSupplier instances;

	private final Time time;

	private volatile Shares shares = new Shares(1, Map.of(), 0);

	LocalBuckets(IntSupplier instances, Time time) {
		this.instances = instances;
		this.time = time;
	}

	/**
	 * Return the charges on this instance's buckets.
	 * @param charges charges on the store's buckets, but not of closed rules
	 * @return the same number of charges on this instance's buckets
	 */
	List<Charge> of(List<Charge> charges) {
		Shares current = current();
		long nowNanos = this.time.nanos();
		List<Charge> local = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			Bucket bucket = charge.bucket();
			local.add((charge.failure() == FailurePolicy.LOCAL) ? share(charge, current.of(bucket.family()), nowNanos)
					: charge.on(new LocalBucket(bucket.family(), bucket, nowNanos, 0), charge.cost()));
		}
		return local;
	}

	/**
	 * Return the bucket that counts with the full limit. A share of slots uses the same
	 * bucket.
	 * @param bucket the bucket of the store
	 * @return the bucket of this instance
	 */
	static Bucket whole(Bucket bucket) {
		return new LocalBucket(bucket.family(), bucket, 0, 0);
	}

	/**
	 * Return all buckets that this instance may have counted in place of a bucket.
	 * @param bucket the bucket of the store
	 * @return the buckets of this instance
	 */
	List<Bucket> of(Bucket bucket) {
		BucketFamily share = current().of(bucket.family());
		List<Bucket> all = new ArrayList<>(List.of(whole(bucket), new LocalBucket(share, bucket, 0, 0)));
		share.formers().forEach((former) -> all.add(new LocalBucket(former.family(), bucket, 0, 0)));
		return all;
	}

	// A cost above the capacity of the share takes all units of the share. A cost above
	// the capacity of the limit does not fit, as in the store.
	private static Charge share(Charge charge, BucketFamily share, long nowNanos) {
		long whole = charge.bucket().family().calculator().capacity();
		long cost = (charge.cost() > whole) ? charge.cost() : Math.min(charge.cost(), share.calculator().capacity());
		return charge.on(new LocalBucket(share, charge.bucket(), nowNanos, charge.cost() - cost), cost);
	}

	private Shares current() {
		int count = Math.max(1, this.instances.getAsInt());
		Shares current = this.shares;
		return (current.instances == count) ? current : changed(count);
	}

	// Change the shares only once for each number. Otherwise, the usage of a share that
	// another thread has created meanwhile would not be carried over.
	private synchronized Shares changed(int count) {
		Shares current = this.shares;
		if (current.instances != count) {
			current = new Shares(count, current.byFamily.asMap(), this.time.nanos());
			this.shares = current;
		}
		return current;
	}

	private static final class Shares {

		private final int instances;

		/** Bounded, because live rules create new families repeatedly. */
		private final Cache<BucketFamily, BucketFamily> byFamily = Caffeine.newBuilder()
			.maximumSize(MAX_FAMILIES)
			.executor(Runnable::run)
			.build();

		/**
		 * Create the shares of a number of instances.
		 * @param instances the number
		 * @param before the shares that these replace, by the families of the store
		 * @param nowNanos the time
		 */
		Shares(int instances, Map<BucketFamily, BucketFamily> before, long nowNanos) {
			this.instances = instances;
			Activation now = Activation.at(nowNanos);
			before.forEach((whole, share) -> this.byFamily.put(whole, whole.share(instances).replacing(share, now)));
		}

		BucketFamily of(BucketFamily family) {
			return this.byFamily.get(family, (whole) -> whole.share(this.instances));
		}

	}

	/**
	 * A bucket of this instance. Corrections recognize it by its type, because it may
	 * equal the bucket of the store. Each charge has its own object, which contains the
	 * units that the charge owes the store. Thread-safe.
	 */
	static final class LocalBucket extends Bucket {

		private final Bucket remote;

		private final long takenNanos;

		/**
		 * The cost beyond the capacity of the share, until it is corrected.
		 */
		private long beyondShareUnits;

		/** The units that corrections have added so far, until the charge is owed. */
		private long correctedUnits;

		private boolean due;

		private @Nullable Debt debt;

		LocalBucket(BucketFamily family, Bucket remote, long takenNanos, long beyondShareUnits) {
			super(family, remote.subject());
			this.remote = remote;
			this.takenNanos = takenNanos;
			this.beyondShareUnits = beyondShareUnits;
		}

		@Override
		public boolean isFallback() {
			return true;
		}

		/**
		 * Return the bucket of the store that this bucket replaces.
		 * @return the bucket of the store
		 */
		Bucket remote() {
			return this.remote;
		}

		/**
		 * The time of the charge.
		 * @return the nanoseconds of {@link Time}, not after the charge
		 */
		long takenNanos() {
			return this.takenNanos;
		}

		/**
		 * Record that the store has certainly not charged the units that were charged
		 * here.
		 * @param units the charged units
		 * @param debts adds the owed units, including all corrections so far, to a debt
		 */
		synchronized void owe(long units, LongFunction<Optional<Debt>> debts) {
			if (!this.due) {
				this.due = true;
				long owed = units + this.beyondShareUnits + this.correctedUnits;
				this.debt = (owed > 0) ? debts.apply(owed).orElse(null) : null;
			}
		}

		/**
		 * Correct the charge.
		 * @param units the units to add to the charge; negative to refund
		 * @param nowNanos the time
		 * @return the correction that the store must make
		 */
		synchronized Optional<Settlement> correct(long units, long nowNanos) {
			// A correction is relative to the units that were charged here, so that the
			// total is correct without the units beyond the share.
			long change = units - this.beyondShareUnits;
			this.beyondShareUnits = 0;
			this.correctedUnits += units;
			return (this.debt != null) ? this.debt.correct(change, nowNanos) : Optional.empty();
		}

	}

}
