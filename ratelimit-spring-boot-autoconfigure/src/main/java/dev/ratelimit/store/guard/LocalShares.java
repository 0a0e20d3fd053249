package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;

/**
 * This instance's share of each limit, for the time that the fleet cannot count together.
 * Thread-safe.
 */
final class LocalShares {

	private final IntSupplier instances;

	private volatile Shares shares = new Shares(1);

	LocalShares(IntSupplier instances) {
		this.instances = instances;
	}

	/**
	 * The charges on this instance's shares. One that could never fit takes all of a
	 * share.
	 * @param charges charges on the fleet's buckets
	 * @return as many charges on this instance's
	 */
	List<Charge> of(List<Charge> charges) {
		Shares current = current();
		List<Charge> local = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			BucketFamily share = current.of(charge.bucket().family());
			long most = share.policy().quota();
			local.add(charge.on(new Share(share, charge.bucket().subject()), Math.min(charge.cost(), most)));
		}
		return local;
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

		private final Map<BucketFamily, BucketFamily> byFamily = new ConcurrentHashMap<>();

		Shares(int instances) {
			this.instances = instances;
		}

		BucketFamily of(BucketFamily family) {
			return this.byFamily.computeIfAbsent(family, (whole) -> whole.share(this.instances));
		}

	}

	/**
	 * A bucket of this instance's, which corrections find by its type.
	 */
	static final class Share extends Bucket {

		Share(BucketFamily family, String subject) {
			super(family, subject);
		}

	}

}
