package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

import dev.ratelimit.hash.KeyedHash;
import org.jspecify.annotations.Nullable;

/**
 * The rejections within a window. Each rule has its own counters from its first
 * rejection, up to a maximum number of rules. Further rules share counters. Thread-safe.
 */
final class DenialWindow {

	static final int MAX_RULES = 256;

	private final Map<String, DenialSketch<String>> rules = new ConcurrentHashMap<>();

	private final DenialSketch<RuleSubject> others = new DenialSketch<>();

	/**
	 * The first rule that rejected a request, which often rejects most requests. It
	 * avoids a lookup in the map, which takes a fifth of the time of a count.
	 */
	private volatile @Nullable RuleSketch first;

	private volatile boolean closed;

	/**
	 * Count a rejection.
	 * @param rule the rule
	 * @param subject the subject
	 * @return false if the rejection may not have been counted
	 */
	boolean tryAdd(String rule, String subject) {
		DenialSketch<String> own = sketch(rule);
		int hash = KeyedHash.of(subject);
		boolean added = (own != null) ? own.tryAdd(subject, hash)
				: this.others.tryAdd(new RuleSubject(rule, subject), hash + rule.hashCode());
		// The window may have been read before the first rejection of a rule.
		return added && !this.closed;
	}

	private @Nullable DenialSketch<String> sketch(String rule) {
		RuleSketch first = this.first;
		if (first != null && first.rule().equals(rule)) {
			return first.sketch();
		}
		DenialSketch<String> existing = this.rules.get(rule);
		return (existing != null || this.rules.size() >= MAX_RULES) ? existing : created(rule);
	}

	private DenialSketch<String> created(String rule) {
		DenialSketch<String> sketch = this.rules.computeIfAbsent(rule, (id) -> new DenialSketch<>());
		if (this.first == null) {
			this.first = new RuleSketch(rule, sketch);
		}
		return sketch;
	}

	/**
	 * End the window.
	 * @param max the maximum number of subjects to return
	 * @return the subjects that were rejected most often
	 */
	List<RejectedSubject> close(int max) {
		this.closed = true;
		List<RejectedSubject> all = new ArrayList<>();
		this.rules.forEach((rule, sketch) -> sketch.close()
			.forEach((subject, atLeast) -> all.add(new RejectedSubject(rule, subject, atLeast))));
		this.others.close()
			.forEach((other, atLeast) -> all.add(new RejectedSubject(other.rule(), other.subject(), atLeast)));
		return all.stream().sorted(Comparator.comparingLong(RejectedSubject::atLeast).reversed()).limit(max).toList();
	}

	private record RuleSketch(String rule, DenialSketch<String> sketch) {

	}

	/**
	 * The subjects that are rejected most often within a window. Threads count in
	 * different stripes, because contention for shared counters takes more time than the
	 * counts. Thread-safe.
	 *
	 * @param <T> the identity of subjects
	 */
	private static final class DenialSketch<T> {

		/** A power of two. */
		static final int STRIPES = Math.min(4, 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

		private final AtomicReferenceArray<@Nullable DenialStripe<T>> stripes = new AtomicReferenceArray<>(STRIPES);

		/**
		 * Count a rejection.
		 * @param subject the subject
		 * @param hash its keyed hash
		 * @return false if the rejection is not counted, because another thread is
		 * counting or the window has ended
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
		 * @return lower bounds of the rejections of each subject
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

	/**
	 * A part of the counters of a rule. While a thread is counting, other threads do not
	 * wait, and their rejections are not counted. Thread-safe.
	 *
	 * @param <T> the identity of subjects
	 */
	private static final class DenialStripe<T> {

		private static final int COUNTERS = 128;

		/**
		 * The number of integers of a cache line, which is the padding before and after
		 * the flag, so that flags do not share cache lines.
		 */
		private static final int CACHE_LINE = 16;

		private final AtomicIntegerArray busy = new AtomicIntegerArray(2 * CACHE_LINE);

		private final SpaceSaving<T> subjects = new SpaceSaving<>(COUNTERS);

		/**
		 * Count a rejection.
		 * @param subject the subject
		 * @param hash its keyed hash
		 * @return false if the rejection is not counted, because another thread is
		 * counting or the window has ended
		 */
		boolean tryAdd(T subject, int hash) {
			if (!this.busy.compareAndSet(CACHE_LINE, 0, 1)) {
				return false;
			}
			this.subjects.add(subject, hash);
			this.busy.setRelease(CACHE_LINE, 0);
			return true;
		}

		/**
		 * End the window: later counts find the counters busy.
		 * @return the estimated counts
		 */
		List<SpaceSaving.Estimate<T>> close() {
			while (!this.busy.compareAndSet(CACHE_LINE, 0, 1)) {
				Thread.onSpinWait();
			}
			return this.subjects.estimates();
		}

	}

}
