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
 * The buckets that this instance counts by itself while the store does not respond: with
 * the whole numbers of a limit, or with its share of them, as the rule's failure policy
 * says. When the number of instances changes, what was used of the former share counts in
 * the new one. Thread-safe.
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
	 * The charges on this instance's buckets.
	 * @param charges charges on the store's buckets, none of a closed rule
	 * @return as many charges on this instance's
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
	 * Return the bucket that counts with the whole numbers of a limit. A share of slots
	 * lies in the same bucket.
	 * @param bucket a bucket of the store's
	 * @return the bucket of this instance's
	 */
	static Bucket whole(Bucket bucket) {
		return new LocalBucket(bucket.family(), bucket, 0, 0);
	}

	/**
	 * Return all buckets that this instance may have counted in place of a bucket.
	 * @param bucket a bucket of the store's
	 * @return the buckets of this instance's
	 */
	List<Bucket> of(Bucket bucket) {
		BucketFamily share = current().of(bucket.family());
		List<Bucket> all = new ArrayList<>(List.of(whole(bucket), new LocalBucket(share, bucket, 0, 0)));
		share.formers().forEach((former) -> all.add(new LocalBucket(former.family(), bucket, 0, 0)));
		return all;
	}

	// A cost that the share cannot hold takes all of it. One that the whole limit cannot
	// hold fits here no more than there.
	private static Charge share(Charge charge, BucketFamily share, long nowNanos) {
		long whole = charge.bucket().family().arithmetic().capacity();
		long cost = (charge.cost() > whole) ? charge.cost() : Math.min(charge.cost(), share.arithmetic().capacity());
		return charge.on(new LocalBucket(share, charge.bucket(), nowNanos, charge.cost() - cost), cost);
	}

	private Shares current() {
		int count = Math.max(1, this.instances.getAsInt());
		Shares current = this.shares;
		return (current.instances == count) ? current : changed(count);
	}

	// Once for each change, or a share that another thread has made meanwhile would not
	// be
	// taken over.
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

		/** Live rules bring new families again and again. */
		private final Cache<BucketFamily, BucketFamily> byFamily = Caffeine.newBuilder()
			.maximumSize(MAX_FAMILIES)
			.executor(Runnable::run)
			.build();

		/**
		 * The shares of a number of instances.
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
	 * A bucket of this instance's, which corrections find by its type: its name is that
	 * of the store's bucket. There is an object of its own for each charge, which carries
	 * what the charge owes the store. Thread-safe.
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
		 * The bucket that is counted here.
		 * @return the store's bucket
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
		 * The store has certainly not charged what was charged here.
		 * @param units what was charged
		 * @param debts counts what is owed, with all corrections so far, in a debt
		 */
		synchronized void owe(long units, LongFunction<Optional<Debt>> debts) {
			if (!this.due) {
				this.due = true;
				long owed = units + this.beyondShareUnits + this.correctedUnits;
				this.debt = (owed > 0) ? debts.apply(owed).orElse(null) : null;
			}
		}

		/**
		 * The charge was corrected.
		 * @param units what to add to it; negative to refund
		 * @param nowNanos the time
		 * @return the correction that the store is to make
		 */
		synchronized Optional<Settlement> correct(long units, long nowNanos) {
			// A correction starts from what was charged here, so that the total is right
			// without the rest.
			long change = units - this.beyondShareUnits;
			this.beyondShareUnits = 0;
			this.correctedUnits += units;
			return (this.debt != null) ? this.debt.correct(change, nowNanos) : Optional.empty();
		}

	}

}
