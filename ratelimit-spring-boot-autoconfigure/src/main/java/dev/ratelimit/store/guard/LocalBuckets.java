package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;

/**
 * The buckets that this instance counts by itself while the store does not respond: with
 * the whole numbers of a limit, or with its share of them, as the rule's failure policy
 * says. Thread-safe.
 */
final class LocalBuckets {

	private static final int MAX_FAMILIES = 10_000;

	private final IntSupplier instances;

	private volatile Shares shares = new Shares(1);

	LocalBuckets(IntSupplier instances) {
		this.instances = instances;
	}

	/**
	 * The charges on this instance's buckets.
	 * @param charges charges on the store's buckets, none of a closed rule
	 * @return as many charges on this instance's
	 */
	List<Charge> of(List<Charge> charges) {
		Shares current = current();
		List<Charge> local = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			Bucket bucket = charge.bucket();
			local.add((charge.failure() == FailurePolicy.LOCAL) ? share(charge, current.of(bucket.family()))
					: charge.on(new LocalBucket(bucket.family(), bucket), charge.cost()));
		}
		return local;
	}

	/**
	 * What is counted with the whole numbers of a limit; a share of slots lies in the
	 * same bucket.
	 * @param bucket a bucket of the store's
	 * @return the bucket of this instance's
	 */
	static Bucket whole(Bucket bucket) {
		return new LocalBucket(bucket.family(), bucket);
	}

	/**
	 * All that this instance may have counted in place of a bucket.
	 * @param bucket a bucket of the store's
	 * @return the buckets of this instance's
	 */
	List<Bucket> of(Bucket bucket) {
		return List.of(whole(bucket), new LocalBucket(current().of(bucket.family()), bucket));
	}

	// A cost that the share cannot hold takes all of it. One that the whole limit cannot
	// hold fits here no more than there.
	private static Charge share(Charge charge, BucketFamily share) {
		long whole = charge.bucket().family().arithmetic().capacity();
		long cost = (charge.cost() > whole) ? charge.cost() : Math.min(charge.cost(), share.arithmetic().capacity());
		return charge.on(new LocalBucket(share, charge.bucket()), cost);
	}

	private Shares current() {
		int count = Math.max(1, this.instances.getAsInt());
		Shares current = this.shares;
		if (current.instances != count) {
			current = new Shares(count);
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

		Shares(int instances) {
			this.instances = instances;
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

		/** What corrections have added so far, until the debt is due. */
		private long correctedUnits;

		private boolean due;

		LocalBucket(BucketFamily family, Bucket remote) {
			super(family, remote.subject());
			this.remote = remote;
		}

		/**
		 * The bucket that is counted here.
		 * @return the store's bucket
		 */
		Bucket remote() {
			return this.remote;
		}

		/**
		 * The store has certainly not charged what was charged here.
		 * @param units what was charged
		 * @return what is owed, with all corrections so far; 0 or less if nothing is
		 */
		synchronized long owe(long units) {
			if (this.due) {
				return 0;
			}
			this.due = true;
			return units + this.correctedUnits;
		}

		/**
		 * The charge was corrected.
		 * @param units what to add to it; negative to give back
		 * @return whether it is owed already, so that the debt is to be corrected, too
		 */
		synchronized boolean correct(long units) {
			this.correctedUnits += units;
			return this.due;
		}

	}

}
