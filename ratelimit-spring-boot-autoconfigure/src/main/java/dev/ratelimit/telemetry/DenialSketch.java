package dev.ratelimit.telemetry;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * The subjects that are rejected most often within a window. Threads count in different
 * stripes, since to share counters costs them more than to count. Thread-safe.
 *
 * @param <T> what tells subjects apart
 */
final class DenialSketch<T> {

	/** A power of two. */
	static final int STRIPES = Math.min(4, 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

	private final AtomicReferenceArray<@Nullable DenialStripe<T>> stripes = new AtomicReferenceArray<>(STRIPES);

	/**
	 * Count a rejection.
	 * @param subject the subject
	 * @param hash its keyed hash
	 * @return false if it is not counted, because another thread counts at this moment or
	 * the window has ended
	 */
	boolean tryAdd(T subject, int hash) {
		int number = (int) Thread.currentThread().getId() & (STRIPES - 1);
		DenialStripe<T> stripe = this.stripes.get(number);
		return ((stripe != null) ? stripe : created(number)).tryAdd(subject, hash);
	}

	private DenialStripe<T> created(int number) {
		DenialStripe<T> fresh = new DenialStripe<>();
		DenialStripe<T> other = this.stripes.compareAndExchange(number, null, fresh);
		return (other != null) ? other : fresh;
	}

	/**
	 * End the window.
	 * @return how often subjects were rejected, at least
	 */
	Map<T, Long> close() {
		Map<T, Long> atLeast = new HashMap<>();
		for (int i = 0; i < STRIPES; i++) {
			DenialStripe<T> stripe = this.stripes.get(i);
			if (stripe != null) {
				stripe.close().forEach((found) -> atLeast.merge(found.item(), found.atLeast(), Long::sum));
			}
		}
		return atLeast;
	}

}
