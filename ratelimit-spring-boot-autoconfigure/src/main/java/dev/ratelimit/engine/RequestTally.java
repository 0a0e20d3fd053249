package dev.ratelimit.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: the numbers of requests of a front that the limiter has allowed and rejected.
 * Each request counts once, regardless of the number of rules and phases. Requests
 * without rules are not counted. Thread-safe.
 */
public final class RequestTally {

	private final LongAdder limited = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/**
	 * The rejections of the limiter and of the application's handler. The map is small,
	 * because statuses have three digits.
	 */
	private final Map<Integer, LongAdder> rejectedByStatus = new ConcurrentHashMap<>();

	private final AtomicLong allowed = new AtomicLong();

	/**
	 * Count a request when its first rule is evaluated. It counts as allowed until it is
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
	 * rejects is counted until its rejection. The count does not decrease at the
	 * rejection; instead, the next allowed request does not increase it.
	 * @return the count since the start
	 */
	public long allowed() {
		// The order matters: a request that arrives between the two reads is not counted.
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
