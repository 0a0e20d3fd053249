package dev.ratelimit.store.guard;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Subject;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;

/**
 * The permits of decisions that wait for the store. The number of permits is limited. A
 * quarter of them is reserved for closed rules: they reject requests for which the store
 * is not called, so a flood on other rules must not take all permits. Requests with the
 * same first bucket have at most half of the permits, so that a flood leaves permits for
 * other requests. Buckets with colliding hashes share their half. Thread-safe.
 */
final class StoreCallPermits {

	private static final int KEPT_PART = 4;

	private static final int PARTS = 256;

	private final int max;

	private final int maxOfOthers;

	private final int maxOfOne;

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicIntegerArray parts = new AtomicIntegerArray(PARTS);

	StoreCallPermits(int max) {
		this.max = max;
		this.maxOfOthers = Math.max(1, max - max / KEPT_PART);
		this.maxOfOne = Math.max(1, max / 2);
	}

	/**
	 * Take a permit.
	 * @param request the request that needs the permit
	 * @return whether a permit was available
	 */
	boolean enter(AcquireRequest request) {
		int now = this.count.incrementAndGet();
		int ofOne = this.parts.incrementAndGet(part(request));
		if (ofOne <= this.maxOfOne && (now <= this.maxOfOthers || (now <= this.max && isClosed(request)))) {
			return true;
		}
		leave(request);
		return false;
	}

	void leave(AcquireRequest request) {
		this.count.decrementAndGet();
		this.parts.decrementAndGet(part(request));
	}

	int count() {
		return this.count.get();
	}

	// Buckets that all clients share do not distinguish clients.
	private static int part(AcquireRequest request) {
		List<Charge> charges = request.charges();
		for (int i = 0; i < charges.size(); i++) {
			if (!isShared(charges.get(i).bucket().subject())) {
				return part(charges.get(i).bucket());
			}
		}
		return part(charges.get(0).bucket());
	}

	private static boolean isShared(String subject) {
		return subject.equals(Subject.GLOBAL) || (subject.startsWith("route:") && subject.indexOf('|') < 0);
	}

	static int part(Bucket bucket) {
		int hash = bucket.hashCode();
		return (hash ^ (hash >>> 16)) & (PARTS - 1);
	}

	private static boolean isClosed(AcquireRequest request) {
		for (Charge charge : request.charges()) {
			if (charge.failure() == FailurePolicy.CLOSED && charge.mayReject()) {
				return true;
			}
		}
		return false;
	}

}
