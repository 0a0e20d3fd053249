package dev.ratelimit.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: how many requests of a front the limiter has allowed and rejected, each once,
 * however many rules and phases have decided it. Requests that no rule applies to are not
 * counted. Thread-safe.
 */
public final class RequestTally {

	private final LongAdder limited = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/** Of the limiter and of the application's handler: a status has three digits. */
	private final Map<Integer, LongAdder> rejectedByStatus = new ConcurrentHashMap<>();

	private final AtomicLong allowed = new AtomicLong();

	/**
	 * A request meets its first rule. It counts as allowed until it is rejected.
	 */
	public void limited() {
		this.limited.increment();
	}

	/**
	 * A request that was counted is rejected.
	 * @param status the status of the response
	 */
	public void rejected(int status) {
		this.rejected.increment();
		this.rejectedByStatus.computeIfAbsent(status, (any) -> new LongAdder()).increment();
	}

	/**
	 * How many requests were allowed. A request that a later phase rejects is among them
	 * until then, so the count stands still for it afterwards: it never decreases.
	 * @return the count since the start
	 */
	public long allowed() {
		// In this order: a request that arrives in between is not counted.
		long all = this.limited.sum();
		return this.allowed.accumulateAndGet(all - this.rejected.sum(), Math::max);
	}

	/**
	 * How many requests were rejected, by the status of the response.
	 * @return the counts since the start, in the order of the statuses
	 */
	public Map<Integer, Long> rejected() {
		Map<Integer, Long> counts = new TreeMap<>();
		this.rejectedByStatus.forEach((status, count) -> counts.put(status, count.sum()));
		return counts;
	}

}
