package dev.ratelimit.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: the numbers of requests of a front that the limiter has allowed and rejected.
 * Each request counts once, however many rules and phases have decided it. Requests that
 * no rule applies to are not counted. Thread-safe.
 */
public final class RequestTally {

	private final LongAdder limited = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/**
	 * The rejections of the limiter and of the application's handler. Statuses have three
	 * digits, so there are few of them.
	 */
	private final Map<Integer, LongAdder> rejectedByStatus = new ConcurrentHashMap<>();

	private final AtomicLong allowed = new AtomicLong();

	/**
	 * Count a request that meets its first rule. It counts as allowed until it is
	 * rejected.
	 */
	public void limited() {
		this.limited.increment();
	}

	/**
	 * Count the rejection of a request that was counted.
	 * @param status the status of the response
	 */
	public void rejected(int status) {
		this.rejected.increment();
		this.rejectedByStatus.computeIfAbsent(status, (any) -> new LongAdder()).increment();
	}

	/**
	 * Return the number of requests that were allowed. A request that a later phase
	 * rejects is counted until then. The count never decreases: instead, the next request
	 * that is allowed does not increase it.
	 * @return the count since the start
	 */
	public long allowed() {
		// In this order: a request that arrives in between is not counted.
		long all = this.limited.sum();
		return this.allowed.accumulateAndGet(all - this.rejected.sum(), Math::max);
	}

	/**
	 * Return the numbers of requests that were rejected, by the status of the response.
	 * @return the counts since the start, in the order of the statuses
	 */
	public Map<Integer, Long> rejected() {
		Map<Integer, Long> counts = new TreeMap<>();
		this.rejectedByStatus.forEach((status, count) -> counts.put(status, count.sum()));
		return counts;
	}

}
