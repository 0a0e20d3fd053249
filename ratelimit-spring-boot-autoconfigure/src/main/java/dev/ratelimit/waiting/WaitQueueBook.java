package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.PreparedDecision;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.engine.WaitResult;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.queue.QueueEntry;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * All queues, and the requests that wait in them. Not thread-safe except for
 * {@link #findExhausted}: {@link FairWaitQueues} calls it with its lock, and runs the
 * actions for after the call without the lock.
 */
final class WaitQueueBook {

	private final WaitSettings settings;

	private final Time time;

	private final Consumer<WaitQueue> pump;

	private final Consumer<Waiter> expire;

	/** The queues by bucket, which are also read without the lock. */
	private final Map<Bucket, WaitQueue> queues = new ConcurrentHashMap<>();

	private final WaitEnds ends;

	private final WaitingPlaces places;

	private boolean closed;

	/**
	 * Create a book without queues.
	 * @param evaluation publishes decisions
	 * @param settings the settings of waiting requests
	 * @param ended receives the waits that have ended
	 * @param time the time
	 * @param pump tries the next requests of a queue
	 * @param expire ends the wait of a waiter
	 */
	WaitQueueBook(RuleEvaluation evaluation, WaitSettings settings, Consumer<EndedWait> ended, Time time,
			Consumer<WaitQueue> pump, Consumer<Waiter> expire) {
		this.settings = settings;
		this.places = new WaitingPlaces(settings.maxWaiting());
		this.ends = new WaitEnds(evaluation, ended, time, pump);
		this.time = time;
		this.pump = pump;
		this.expire = expire;
	}

	Alarms<Runnable> alarms() {
		return this.ends.alarms();
	}

	int waiting() {
		return this.ends.waiting();
	}

	WaitEnds ends() {
		return this.ends;
	}

	Collection<WaitQueue> queues() {
		return this.queues.values();
	}

	@Nullable WaitQueue queue(Bucket bucket) {
		return this.queues.get(bucket);
	}

	/**
	 * Find a queue that a request must join. Needs no lock.
	 * @param request the request
	 * @return the exhausted bucket that the request waits for; null if no queue exists
	 * for a bucket of the request
	 */
	@Nullable ExhaustedBucket findExhausted(WaitRequest request) {
		if (this.queues.isEmpty() || RuleEvaluation.rejectsAtOnce(request.applied())) {
			return null;
		}
		for (int i = 0; i < request.applied().size(); i++) {
			AppliedRule rule = request.applied().get(i);
			if (request.maxNanos(rule) >= 0) {
				for (Bucket bucket : ExhaustedBucket.buckets(rule)) {
					if (this.queues.containsKey(bucket)) {
						return new ExhaustedBucket(bucket, rule, 0);
					}
				}
			}
		}
		return null;
	}

	/**
	 * Return whether a request could wait now.
	 * @param waiter the request
	 * @param held the exhausted bucket that it would wait for
	 * @return false if it would be rejected
	 */
	boolean mayWait(Waiter waiter, ExhaustedBucket held) {
		long nowNanos = this.time.nanos();
		WaitQueue queue = queue(waiter, held, nowNanos);
		String flow = waiter.flow(held);
		return !this.closed && hasCapacity(waiter, queue, flow)
				&& nowNanos + queue.estimateNanos(flow, held.rule().cost(), nowNanos) - waiter.latestNanos(held) <= 0;
	}

	/**
	 * Let a request wait, or reject it.
	 * @param waiter the request
	 * @param held the exhausted bucket that it waits for
	 * @param prepared the result of the store; null if it was not called
	 * @param after receives the actions to run without the lock
	 */
	void join(Waiter waiter, ExhaustedBucket held, @Nullable PreparedDecision prepared, List<Runnable> after) {
		long nowNanos = this.time.nanos();
		WaitQueue queue = queue(waiter, held, nowNanos);
		String flow = waiter.flow(held);
		long estimate = queue.estimateNanos(flow, held.rule().cost(), nowNanos);
		if (this.closed) {
			this.ends.end(waiter, held, prepared, WaitRejections.closed(held), EndedWait.End.CLOSED, after);
		}
		else if (nowNanos + estimate - waiter.latestNanos(held) > 0) {
			Decision decision = (prepared != null) ? WaitRejections.denied(prepared, held, estimate)
					: WaitRejections.full(held, estimate);
			this.ends.end(waiter, held, prepared, decision, EndedWait.End.QUEUE_FULL, after);
		}
		else if (!hasCapacity(waiter, queue, flow) || !waiter.takePlaces(this.places, flow, after)
				|| !evict(queue, flow, after)) {
			this.ends.end(waiter, held, prepared, WaitRejections.full(held, estimate), EndedWait.End.QUEUE_FULL, after);
		}
		else {
			if (this.queues.put(held.bucket(), queue) == null) {
				queue.decidedBy(waiter);
			}
			this.ends.enter(waiter, queue, held, () -> this.expire.accept(waiter));
			after.add(() -> this.pump.accept(queue));
		}
	}

	private WaitQueue queue(Waiter waiter, ExhaustedBucket held, long nowNanos) {
		WaitQueue existing = this.queues.get(held.bucket());
		return (existing != null) ? existing : WaitQueue.of(held, waiter.request().queue(held.rule()),
				this.settings.instances().getAsInt(), this.settings.random(), nowNanos);
	}

	// A request loses its place only if another one can wait instead.
	private boolean hasCapacity(Waiter waiter, WaitQueue queue, String flow) {
		return queue.waiters().hasCapacity(flow) && waiter.canTakePlaces(this.places, flow);
	}

	private boolean evict(WaitQueue queue, String flow, List<Runnable> after) {
		if (!queue.waiters().isFull()) {
			return true;
		}
		Waiter displaced = queue.waiters().displace(flow).orElse(null);
		if (displaced != null) {
			giveUp(displaced, EndedWait.End.QUEUE_FULL, after);
		}
		return displaced != null;
	}

	/**
	 * Record that an attempt has ended.
	 * @param queue the queue
	 * @param entry the place of the tried request
	 * @param prepared the result of the store; null if it failed
	 * @param failure the exception of the store; null if it did not fail
	 * @param after receives the actions to run without the lock
	 */
	void attempted(WaitQueue queue, QueueEntry<Waiter> entry, @Nullable PreparedDecision prepared,
			@Nullable Throwable failure, List<Runnable> after) {
		Waiter waiter = entry.item();
		if (prepared == null) {
			this.ends.leave(waiter,
					() -> waiter.result()
						.completeExceptionally(
								(failure != null) ? failure : new IllegalStateException("the store completed nothing")),
					after);
		}
		else if (waiter.isDone()) {
			after.add(() -> prepared.decision().reservation().cancel());
		}
		else if (prepared.decision().allowed()) {
			long cost = waiter.held().map((held) -> held.rule().cost()).orElse(0L);
			queue.allowed(entry, cost, prepared.verdict(queue.bucket()), this.time.nanos());
			this.ends.end(waiter, waiter.held().orElse(null), prepared, prepared.decision(), EndedWait.End.ALLOWED,
					after);
		}
		else {
			denied(queue, entry, prepared, after);
		}
		queue.tried(this.time.nanos());
		// The end of one wait can make the next attempt earlier.
		queue.hopeless()
			.stream()
			.filter((hopeless) -> !hopeless.waitsOn())
			.forEach((hopeless) -> giveUp(hopeless, EndedWait.End.WAITED_OUT, after));
	}

	private void denied(WaitQueue queue, QueueEntry<Waiter> entry, PreparedDecision prepared, List<Runnable> after) {
		Waiter waiter = entry.item();
		ExhaustedBucket held = ExhaustedBucket.of(prepared, waiter.request());
		if (held == null) {
			this.ends.end(waiter, waiter.held().orElse(null), prepared, prepared.decision(), EndedWait.End.REJECTED,
					after);
		}
		else if (!held.bucket().equals(queue.bucket()) || this.closed) {
			this.ends.exit(waiter, after);
			join(waiter, held, prepared, after);
		}
		else {
			queue.denied(waiter, held.rule().cost(), held.retryNanos());
			if (this.time.nanos() + held.retryNanos() - waiter.latestNanos(held) > 0) {
				this.ends.end(waiter, held, prepared, WaitRejections.waitedOut(held, held.retryNanos()),
						EndedWait.End.WAITED_OUT, after);
			}
			else {
				waiter.putBack(entry);
			}
		}
	}

	/**
	 * End a wait with a rejection.
	 * @param waiter the request
	 * @param end the end of the wait
	 * @param after receives the actions to run without the lock
	 */
	void giveUp(Waiter waiter, EndedWait.End end, List<Runnable> after) {
		waiter.held().filter((held) -> !waiter.isDone()).ifPresent((held) -> {
			WaitQueue queue = this.queues.get(held.bucket());
			long retry = (queue != null) ? queue.estimateNanos(waiter.flow(held), held.rule().cost(), this.time.nanos())
					: 0;
			this.ends.end(waiter, held, null, WaitRejections.of(end, held, retry), end, after);
		});
	}

	/**
	 * Return the state of the longest queue for a bucket of a rule.
	 * @param rule the rule
	 * @param flow the flow of a new request
	 * @return the state; empty if the rule has no queue
	 */
	Optional<WaitState> find(AppliedRule rule, String flow) {
		WaitState longest = null;
		for (Bucket bucket : ExhaustedBucket.buckets(rule)) {
			WaitQueue queue = this.queues.get(bucket);
			if (queue != null && (longest == null || queue.waiters().size() > longest.length())) {
				longest = new WaitState(queue.waiters().size(),
						Duration.ofNanos(queue.estimateNanos(flow, rule.cost(), this.time.nanos())));
			}
		}
		return Optional.ofNullable(longest);
	}

	void forget(WaitQueue queue) {
		queue.cancelAlarm(alarms());
		this.queues.remove(queue.bucket(), queue);
	}

	/**
	 * Let requests wait, or reject all waiting requests and all new ones.
	 * @param open whether requests can wait
	 * @param after receives the actions to run without the lock
	 */
	void setOpen(boolean open, List<Runnable> after) {
		this.closed = !open;
		for (WaitQueue queue : (open) ? List.<WaitQueue>of() : List.copyOf(this.queues.values())) {
			queue.waiters().clear().forEach((waiter) -> giveUp(waiter, EndedWait.End.CLOSED, after));
		}
	}

	/**
	 * Rejections of requests that wait for a bucket, or that cannot wait.
	 */
	private static final class WaitRejections {

		private static final long SECOND = 1000;

		private WaitRejections() {
		}

		static Decision full(ExhaustedBucket held, long retryNanos) {
			return rejection(held, Outcome.QUEUE_FULL, Reason.LIMIT_EXCEEDED, retryNanos);
		}

		static Decision of(EndedWait.End end, ExhaustedBucket held, long retryNanos) {
			return switch (end) {
				case WAITED_OUT -> waitedOut(held, retryNanos);
				case CLOSED -> closed(held);
				default -> full(held, retryNanos);
			};
		}

		static Decision waitedOut(ExhaustedBucket held, long retryNanos) {
			return rejection(held, Outcome.WAITED_OUT, Reason.LIMIT_EXCEEDED, retryNanos);
		}

		// Another instance can process the request after one second.
		static Decision closed(ExhaustedBucket held) {
			return rejection(held, Outcome.FAILED_CLOSED, Reason.STORE_UNAVAILABLE,
					TimeUnit.MILLISECONDS.toNanos(SECOND));
		}

		// The rejection of the store, with the additional wait of the queue.
		static Decision denied(PreparedDecision prepared, ExhaustedBucket held, long retryNanos) {
			List<Verdict> verdicts = prepared.decision()
				.verdicts()
				.stream()
				.map((verdict) -> (verdict == prepared.verdict(held.bucket())) ? later(verdict, millis(retryNanos))
						: verdict)
				.toList();
			return new Decision(false, prepared.decision().reason(), prepared.decision().source(), verdicts);
		}

		private static Verdict later(Verdict verdict, long retryMillis) {
			return new Verdict(verdict.policy(), verdict.outcome(), verdict.cost(), verdict.remaining(),
					Math.max(verdict.retryAfterMillis(), retryMillis), verdict.resetAfterMillis(),
					verdict.nextUnitMillis());
		}

		private static Decision rejection(ExhaustedBucket held, Outcome outcome, Reason reason, long retryNanos) {
			return new Decision(false, reason, Source.LOCAL, List.of(Verdict.unmeasured(held.bucket().family().policy(),
					outcome, held.rule().cost(), millis(retryNanos))));
		}

		private static long millis(long nanos) {
			return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
		}

	}

	/**
	 * Counts waiting requests, and ends waits. Not thread-safe: {@link FairWaitQueues}
	 * calls it with its lock, and runs the actions for after the call without the lock.
	 */
	static final class WaitEnds {

		private final RuleEvaluation evaluation;

		private final Consumer<EndedWait> ended;

		private final Time time;

		private final Consumer<WaitQueue> pump;

		private final Alarms<Runnable> alarms = new Alarms<>();

		private int waiting;

		WaitEnds(RuleEvaluation evaluation, Consumer<EndedWait> ended, Time time, Consumer<WaitQueue> pump) {
			this.pump = pump;
			this.evaluation = evaluation;
			this.ended = ended;
			this.time = time;
		}

		Alarms<Runnable> alarms() {
			return this.alarms;
		}

		int waiting() {
			return this.waiting;
		}

		void enter(Waiter waiter, WaitQueue queue, ExhaustedBucket held, Runnable expired) {
			this.waiting++;
			waiter.enter(queue, held, this.alarms.at(waiter.latestNanos(held), expired));
		}

		/**
		 * Remove a waiter from its queue, if it is in one.
		 * @param waiter the request
		 * @param after receives the actions to run without the lock
		 */
		void exit(Waiter waiter, List<Runnable> after) {
			if (waiter.isWaiting()) {
				this.waiting--;
			}
			waiter.exit(this.alarms).ifPresent((queue) -> {
				queue.wake(this.time.nanos());
				after.add(() -> this.pump.accept(queue));
			});
		}

		/**
		 * End a wait, if there was one, with a decision.
		 * @param waiter the request
		 * @param held the exhausted bucket that it waited for last; null if it did not
		 * wait
		 * @param prepared the result of the store; null if it was not called last
		 * @param decision the decision
		 * @param end the end of the wait
		 * @param after receives the actions to run without the lock
		 */
		void end(Waiter waiter, @Nullable ExhaustedBucket held, @Nullable PreparedDecision prepared, Decision decision,
				EndedWait.End end, List<Runnable> after) {
			List<AppliedRule> applied = (prepared != null) ? prepared.applied() : waiter.request().applied();
			long startNanos = (prepared != null) ? prepared.startNanos() : this.time.nanos();
			leave(waiter, () -> {
				// Complete the result even after an exception, because a thread may wait
				// for it.
				try {
					this.evaluation.publish(applied, decision, startNanos);
					if (held != null) {
						notifyEnded(held, end, waiter);
					}
				}
				finally {
					waiter.result().complete(new WaitResult(decision, applied));
				}
			}, after);
		}

		/**
		 * End the wait of an abandoned request.
		 * @param waiter the request
		 * @param after receives the actions to run without the lock
		 */
		void cancel(Waiter waiter, List<Runnable> after) {
			leave(waiter, () -> {
				try {
					waiter.held().ifPresent((held) -> notifyEnded(held, EndedWait.End.CANCELED, waiter));
				}
				finally {
					waiter.result().cancel(false);
				}
			}, after);
		}

		/**
		 * End the wait of a request, unless it has ended.
		 * @param waiter the request
		 * @param complete the action that completes the result
		 * @param after receives the actions to run without the lock
		 */
		void leave(Waiter waiter, Runnable complete, List<Runnable> after) {
			if (!waiter.isDone()) {
				exit(waiter, after);
				waiter.end(this.time.nanos());
				after.add(complete);
			}
		}

		private void notifyEnded(ExhaustedBucket held, EndedWait.End end, Waiter waiter) {
			this.ended.accept(new EndedWait(held.rule().rule().rule().id(), end, waiter.endedAfterNanos()));
		}

	}

}
