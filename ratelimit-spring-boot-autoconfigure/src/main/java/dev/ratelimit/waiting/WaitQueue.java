package dev.ratelimit.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongUnaryOperator;

import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.queue.DrainRate;
import dev.ratelimit.queue.FairQueue;
import dev.ratelimit.queue.QueueEntry;
import dev.ratelimit.store.Bucket;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for one exhausted bucket, and the times of their attempts. One
 * request is tried first, and while all are allowed, two, four, and eight at a time. Not
 * thread-safe: {@link FairWaitQueues} calls it with its lock.
 */
final class WaitQueue {

	private static final int MAX_STARVED = 8;

	/**
	 * The maximum random delay, as a part of the wait, so that not all instances try at
	 * the same moment.
	 */
	private static final double JITTER = 0.1;

	private final Bucket bucket;

	private final FairQueue<Waiter> queue;

	private final DrainRate rate;

	private final LongUnaryOperator jitter;

	private long nextNanos;

	private int width = 1;

	private int trying;

	/**
	 * The minimum wait of the pending attempts that were rejected; negative if there is
	 * none.
	 */
	private long retryNanos = -1;

	/** The cost of the request that was rejected with the minimum wait. */
	private long retryCost;

	/**
	 * The request that determined the time of the next attempt, by its cost; null if the
	 * time does not depend on a request.
	 */
	private @Nullable Waiter decisive;

	/**
	 * The remaining units of the bucket after the last attempt; negative if not known.
	 */
	private long left = -1;

	private long nextUnitNanos;

	/** The times at which waiting requests give up. */
	private final Alarms<Waiter> limits = new Alarms<>();

	private Alarms.@Nullable Alarm<Runnable> alarm;

	private boolean woken;

	private boolean pumping;

	private boolean again;

	private WaitQueue(ExhaustedBucket held, int capacity, int instances, long nowNanos, LongUnaryOperator jitter) {
		this.bucket = held.bucket();
		this.queue = new FairQueue<>(capacity);
		this.jitter = jitter;
		this.nextNanos = nowNanos;
		this.rate = rate(held, Math.max(1, instances), nowNanos);
	}

	// Slots are freed when requests end, which cannot be derived from the limit. The
	// throughput is remembered for longer than the time between two units, and than the
	// wait for the end of a window: until then, nothing can be served.
	private static DrainRate rate(ExhaustedBucket held, int instances, long nowNanos) {
		Limit limit = held.bucket().family().policy().limit().orElseThrow();
		long periodNanos = limit.period().toNanos();
		double perNano = (limit.concurrent()) ? Double.POSITIVE_INFINITY
				: limit.quantity() / (double) periodNanos / instances;
		long memory = Math.max(TimeUnit.SECONDS.toNanos(2), Math.min(TimeUnit.MINUTES.toNanos(1), 2 * periodNanos));
		long interval = Math.max((long) (1 / perNano), Math.min(held.retryNanos(), periodNanos));
		return new DrainRate(perNano, Math.max(memory, 4 * Math.min(interval, Long.MAX_VALUE / 4)), nowNanos);
	}

	static WaitQueue of(ExhaustedBucket held, int capacity, int instances, DoubleSupplier random, long nowNanos) {
		WaitQueue queue = new WaitQueue(held, capacity, instances, nowNanos,
				(instances > 1) ? (nanos) -> nanos + (long) (nanos * JITTER * random.getAsDouble()) : (nanos) -> nanos);
		queue.exhausted(held.retryNanos(), nowNanos);
		return queue;
	}

	Bucket bucket() {
		return this.bucket;
	}

	FairQueue<Waiter> waiters() {
		return this.queue;
	}

	Alarms<Waiter> limits() {
		return this.limits;
	}

	/**
	 * Return the requests that cannot succeed, because the next attempt is after their
	 * maximum wait. For slots, there are none, because slots are freed at any time.
	 * @return the waiters, which are returned only once
	 */
	List<Waiter> hopeless() {
		boolean slots = this.bucket.family().policy().concurrent();
		return (this.trying > 0 || slots) ? List.of() : this.limits.due(this.nextNanos - 1);
	}

	/**
	 * Whether an attempt is pending or due in time for a waiter, even if the attempt is
	 * late.
	 * @param latestNanos the time at which the maximum wait of the waiter ends
	 * @return whether the attempt may serve the waiter
	 */
	boolean isTrying(long latestNanos) {
		return this.trying > 0 || this.nextNanos - latestNanos <= 0;
	}

	boolean isIdle() {
		return this.trying == 0;
	}

	boolean isDeserted() {
		return this.trying == 0 && this.queue.isEmpty();
	}

	/**
	 * Return the estimated wait of a new request.
	 * @param flow its flow
	 * @param cost its cost
	 * @param nowNanos the time
	 * @return nanoseconds
	 */
	long estimateNanos(String flow, long cost, long nowNanos) {
		return Math.max(0, this.nextNanos - nowNanos)
				+ this.rate.nanosFor(this.queue.unitsBefore(flow, cost), nowNanos);
	}

	/**
	 * Record that the bucket is exhausted.
	 * @param nanos the time for which it is exhausted
	 * @param nowNanos the time
	 */
	void exhausted(long nanos, long nowNanos) {
		this.nextNanos = nowNanos + this.jitter.applyAsLong(nanos);
		this.width = 1;
	}

	/**
	 * Record that a request has determined the time of the next attempt.
	 * @param waiter the request
	 */
	void decidedBy(Waiter waiter) {
		this.decisive = waiter;
	}

	/**
	 * Record that a request has left the queue. If it determined the time of the next
	 * attempt, its cost no longer matters.
	 * @param waiter the request
	 * @param cost its cost
	 * @return whether to try again now: the next request costs less, or the queue is
	 * empty and must be removed
	 */
	boolean left(Waiter waiter, long cost) {
		return this.trying == 0 && (this.queue.isEmpty() || (this.decisive == waiter && succeed(cost)));
	}

	// Returns whether the next request costs less. Otherwise, it determines the time from
	// now on.
	private boolean succeed(long cost) {
		QueueEntry<Waiter> next = this.queue.peek().orElse(null);
		if (next == null || next.cost() < cost) {
			return next != null;
		}
		this.decisive = next.item();
		return false;
	}

	/**
	 * Try as soon as possible, because the bucket or its rule has changed.
	 * @param nowNanos the time
	 */
	void wake(long nowNanos) {
		this.nextNanos = nowNanos;
		this.width = 1;
		this.decisive = null;
		this.woken = this.trying > 0;
	}

	/**
	 * Take the requests to try now.
	 * @param nowNanos the time
	 * @return the places of the requests; none if attempts are pending, or it is too
	 * early
	 */
	List<QueueEntry<Waiter>> next(long nowNanos) {
		List<QueueEntry<Waiter>> next = new ArrayList<>(this.width);
		if (this.trying == 0 && this.nextNanos - nowNanos <= 0) {
			for (int i = 0; i < this.width; i++) {
				this.queue.take().ifPresent(next::add);
			}
			this.trying = next.size();
			this.retryNanos = -1;
			this.left = -1;
			this.woken = false;
		}
		return next;
	}

	/**
	 * Begin to try the next requests.
	 * @return false if another thread does so already, which continues
	 */
	boolean begin() {
		this.again = this.pumping;
		this.pumping = true;
		return !this.again;
	}

	/**
	 * Continue to try requests.
	 * @param more whether a request was tried
	 * @return false if no request has its turn now
	 */
	boolean goOn(boolean more) {
		this.pumping = more || this.again;
		this.again = false;
		return this.pumping;
	}

	/**
	 * Record that an attempt has ended.
	 * @param nowNanos the time
	 */
	void tried(long nowNanos) {
		this.trying--;
		if (this.trying > 0) {
			return;
		}
		if (this.woken || isCostGone()) {
			wake(nowNanos);
		}
		else if (this.retryNanos >= 0) {
			exhausted(this.retryNanos, nowNanos);
		}
		else if (this.left == 0) {
			this.decisive = null;
			exhausted(this.nextUnitNanos, nowNanos);
		}
		else {
			this.width = (int) Math.min(Math.min(MAX_STARVED, this.width * 2L),
					(this.left > 0) ? this.left : MAX_STARVED);
		}
	}

	void allowed(QueueEntry<Waiter> entry, long cost, @Nullable Verdict verdict, long nowNanos) {
		this.queue.served(entry);
		this.rate.served(cost, nowNanos);
		if (verdict != null && verdict.outcome().measured()) {
			this.left = verdict.remaining();
			long nanos = TimeUnit.MILLISECONDS.toNanos(verdict.nextUnitMillis());
			this.nextUnitNanos = (verdict.policy().concurrent()) ? Math.min(ExhaustedBucket.SLOT_NANOS, nanos) : nanos;
		}
	}

	// Whether the only reason for the next wait is the cost of a request that has left.
	private boolean isCostGone() {
		Waiter waiter = this.decisive;
		return this.retryNanos >= 0 && waiter != null && waiter.isDone() && succeed(this.retryCost);
	}

	void denied(Waiter waiter, long cost, long nanos) {
		if (this.retryNanos < 0 || nanos < this.retryNanos) {
			this.retryNanos = nanos;
			this.retryCost = cost;
			this.decisive = waiter;
		}
	}

	/**
	 * Set the alarm for the next attempt of the queue.
	 * @param alarms the alarms, in which the new alarm replaces the previous one
	 * @param wake the action of the alarm
	 */
	void alarm(Alarms<Runnable> alarms, Runnable wake) {
		if (this.alarm != null) {
			alarms.cancel(this.alarm);
		}
		this.alarm = alarms.at(this.nextNanos, wake);
	}

	void cancelAlarm(Alarms<Runnable> alarms) {
		if (this.alarm != null) {
			alarms.cancel(this.alarm);
		}
	}

}
