package dev.ratelimit.store.hold;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: the slots that this instance holds, and the results of their renewals.
 * Thread-safe.
 */
public final class HoldingStatus {

	private final LongAdder slots = new LongAdder();

	private final Map<String, LongAdder> byRule = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> endedByRule = new ConcurrentHashMap<>();

	private final LongAdder renewed = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final LongAdder failed = new LongAdder();

	/**
	 * Return the number of requests and connections that hold a slot of a rule.
	 * @param rule the rule's id
	 * @return the number at this moment
	 */
	public long held(String rule) {
		LongAdder held = this.byRule.get(rule);
		return (held != null) ? held.sum() : 0;
	}

	/**
	 * Return the number of renewed buckets.
	 * @return the sum of all renewals since the start
	 */
	long renewed() {
		return this.renewed.sum();
	}

	/**
	 * Return the number of buckets that could not be renewed. Their renewal is repeated.
	 * @return the sum since the start
	 */
	long failed() {
		return this.failed.sum();
	}

	/**
	 * Return the number of buckets in which the store had lost the slots of this
	 * instance, and a renewal has restored them: after an outage, a pause, or a reset.
	 * @return the sum since the start
	 */
	public long reclaimed() {
		return this.lost.sum();
	}

	/**
	 * Return the number of slots that were freed because they were held for too long.
	 * @return the sums since the start, by the ids of rules that have any
	 */
	public Map<String, Long> ended() {
		Map<String, Long> ended = new TreeMap<>();
		this.endedByRule.forEach((rule, count) -> ended.put(rule, count.sum()));
		return ended;
	}

	long slots() {
		return this.slots.sum();
	}

	void took(String rule, long count) {
		this.slots.add(count);
		this.byRule.computeIfAbsent(rule, (id) -> new LongAdder()).add(count);
	}

	void ended(String rule, long count) {
		if (count > 0) {
			took(rule, -count);
			this.endedByRule.computeIfAbsent(rule, (id) -> new LongAdder()).add(count);
		}
	}

	void renewed(long buckets, long lostOnes) {
		this.renewed.add(buckets);
		this.lost.add(lostOnes);
	}

	void failed(long buckets) {
		this.failed.add(buckets);
	}

}
