package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.PreparedDecision;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.engine.Ticket;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.queue.QueueEntry;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Fair queues, one for each exhausted bucket. A waiting request occupies no thread here,
 * and holds no charge. Attempts are made for the first requests of a queue, each with its
 * own deadline. Thread-safe.
 */
final class FairWaitQueues implements WaitQueues, Waiter.Host {

	private static final Log logger = LogFactory.getLog(FairWaitQueues.class);

	private final RuleEvaluation evaluation;

	private final Editions editions;

	private final WaitSettings settings;

	private final long deadlineNanos;

	private final Time time;

	/** Never held during a call of a store, or while a waiter is notified. */
	private final ReentrantLock lock = new ReentrantLock();

	private final WaitQueueBook book;

	/** The timer that fires at the next alarm; null if there is none. */
	private @Nullable AlarmTimer armed;

	FairWaitQueues(RuleEvaluation evaluation, Editions editions, WaitSettings settings, Consumer<EndedWait> ended,
			Duration deadline, Time time) {
		this.evaluation = evaluation;
		this.editions = editions;
		this.settings = settings;
		this.deadlineNanos = deadline.toNanos();
		this.time = time;
		this.book = new WaitQueueBook(evaluation, settings, ended, time, this::pump,
				(waiter) -> locked((after) -> expire(waiter, false, after)));
		if (settings.maxWaiting() > 0) {
			evaluation.followFreed((bucket) -> this.book.queue(bucket) != null, this::freed);
			editions.addListener((edition) -> wake());
		}
	}

	@Override
	public int waiting() {
		return under(this.book::waiting);
	}

	@Override
	public Optional<WaitState> find(AppliedRule rule, String flow) {
		return under(() -> this.book.find(rule, flow));
	}

	@Override
	public CompletableFuture<Ticket> enter(WaitRequest request) {
		Waiter waiter = new Waiter(request, this.time.nanos(), this);
		ExhaustedBucket exhausted = this.book.findExhausted(request);
		if (exhausted == null) {
			return evaluate(waiter);
		}
		if (request.retry().isEmpty() || !exhausted.rule().rule().freesRetries()) {
			return await(waiter, exhausted);
		}
		// A free retry needs no units.
		return this.evaluation
			.waives(request.applied(), exhausted.bucket(), request.retry().get(),
					this.deadlineNanos - request.spentNanos())
			.thenCompose((waives) -> (waives) ? evaluate(waiter) : await(waiter, exhausted));
	}

	private CompletableFuture<Ticket> await(Waiter waiter, ExhaustedBucket exhausted) {
		WaitRequest request = waiter.request();
		List<AppliedRule> others = request.applied().stream().filter((rule) -> request.maxNanos(rule) < 0).toList();
		// A request that cannot wait is rejected without a call of the store. The rules
		// may waive a retry.
		if (others.isEmpty() || request.retry().isPresent() || !under(() -> this.book.mayWait(waiter, exhausted))) {
			return join(waiter, exhausted);
		}
		return this.evaluation.rejects(others, this.deadlineNanos - request.spentNanos())
			.thenCompose((rejects) -> (rejects) ? reject(waiter, others, exhausted) : join(waiter, exhausted));
	}

	// A request that a rule without a queue rejects must not wait. If the rules allow it
	// after all, it waits for its turn.
	private CompletableFuture<Ticket> reject(Waiter waiter, List<AppliedRule> others, ExhaustedBucket exhausted) {
		return this.evaluation
			.prepare(others, Optional.empty(), this.deadlineNanos - waiter.request().spentNanos(), false)
			.thenCompose((prepared) -> {
				if (prepared.decision().allowed()) {
					prepared.decision().reservation().cancel();
					return join(waiter, exhausted);
				}
				locked((after) -> this.book.ends()
					.end(waiter, null, prepared, prepared.decision(), EndedWait.End.ALLOWED, after));
				return CompletableFuture.completedFuture(waiter);
			});
	}

	private CompletableFuture<Ticket> join(Waiter waiter, ExhaustedBucket exhausted) {
		locked((after) -> this.book.join(waiter, exhausted, null, after));
		return CompletableFuture.completedFuture(waiter);
	}

	private CompletableFuture<Ticket> evaluate(Waiter waiter) {
		WaitRequest request = waiter.request();
		return this.evaluation
			.prepare(request.applied(), request.retry(), this.deadlineNanos - request.spentNanos(), false)
			.thenApply((prepared) -> {
				locked((after) -> evaluated(waiter, prepared, after));
				return waiter;
			});
	}

	private void evaluated(Waiter waiter, PreparedDecision prepared, List<Runnable> after) {
		ExhaustedBucket held = (prepared.allowed()) ? null : ExhaustedBucket.of(prepared, waiter.request());
		if (held != null) {
			this.book.join(waiter, held, prepared, after);
		}
		else {
			this.book.ends().end(waiter, null, prepared, prepared.decision(), EndedWait.End.ALLOWED, after);
		}
	}

	// Retry the requests that are next, until there are none. An attempt that ends
	// immediately calls this method again, which leaves the next request to the loop.
	private void pump(WaitQueue queue) {
		if (!under(queue::begin)) {
			return;
		}
		boolean more = true;
		while (more) {
			List<QueueEntry<Waiter>> next = under(() -> next(queue));
			next.forEach((entry) -> attempt(queue, entry));
			more = under(() -> goOn(queue, !next.isEmpty()));
		}
	}

	private List<QueueEntry<Waiter>> next(WaitQueue queue) {
		List<QueueEntry<Waiter>> next = queue.next(this.time.nanos());
		next.forEach((entry) -> entry.item().tried());
		return next;
	}

	private boolean goOn(WaitQueue queue, boolean more) {
		boolean goesOn = queue.goOn(more);
		if (!goesOn && queue.isDeserted()) {
			this.book.forget(queue);
		}
		else if (!goesOn && queue.isIdle()) {
			queue.alarm(this.book.alarms(), () -> pump(queue));
		}
		arm();
		return goesOn;
	}

	private void attempt(WaitQueue queue, QueueEntry<Waiter> entry) {
		WaitRequest request = entry.item().request();
		prepare(request).whenComplete((prepared, failure) -> {
			locked((after) -> this.book.attempted(queue, entry, prepared, failure, after));
			pump(queue);
		});
	}

	private CompletableFuture<PreparedDecision> prepare(WaitRequest request) {
		try {
			return this.evaluation.prepare(WaitRefresh.in(request.applied(), this.editions), request.retry(),
					this.deadlineNanos, true);
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	// A delay of this instance must not end a wait: if an attempt was due in time, the
	// waiter gets its result.
	private void expire(Waiter waiter, boolean last, List<Runnable> after) {
		if (waiter.isTried()) {
			return;
		}
		if (waiter.isDue() && !last) {
			waiter.expire(this.book.alarms()
				.at(this.time.nanos() + this.deadlineNanos, () -> locked((then) -> expire(waiter, true, then))));
			arm();
		}
		else {
			this.book.giveUp(waiter, EndedWait.End.WAITED_OUT, after);
		}
	}

	@Override
	public void reject(Waiter waiter) {
		locked((after) -> this.book.giveUp(waiter, EndedWait.End.QUEUE_FULL, after));
	}

	@Override
	public void leave(Waiter waiter) {
		locked((after) -> this.book.ends().cancel(waiter, after));
	}

	@Override
	public long nanos() {
		return this.time.nanos();
	}

	// The active rules have changed, so all queues try again with the new rules.
	private void wake() {
		locked((after) -> this.book.queues().forEach((queue) -> wake(queue, after)));
	}

	// Units of a bucket were freed before the expected time.
	private void freed(Bucket bucket) {
		locked((after) -> Optional.ofNullable(this.book.queue(bucket)).ifPresent((queue) -> wake(queue, after)));
	}

	private void wake(WaitQueue queue, List<Runnable> after) {
		queue.wake(this.time.nanos());
		after.add(() -> pump(queue));
	}

	private void locked(Consumer<List<Runnable>> change) {
		List<Runnable> after = new ArrayList<>(2);
		this.lock.lock();
		try {
			change.accept(after);
		}
		finally {
			this.lock.unlock();
		}
		after.forEach(FairWaitQueues::run);
	}

	// An exception of one request must not delay other requests.
	private static void run(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("Failed to end or to continue a wait", ex);
		}
	}

	private <T> T under(Supplier<T> look) {
		this.lock.lock();
		try {
			return look.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	// Called with the lock.
	private void arm() {
		this.book.alarms().next().ifPresent((nextNanos) -> {
			AlarmTimer armed = this.armed;
			if (armed == null || nextNanos - armed.atNanos < 0) {
				// Otherwise, each attempt would leave a timer for a later alarm behind.
				Optional.ofNullable(armed).ifPresent((later) -> later.cancel.run());
				this.armed = new AlarmTimer(nextNanos);
			}
		});
	}

	private void fire(AlarmTimer timer) {
		locked((after) -> {
			// A timer that was cancelled too late must not hide the one that replaces it.
			this.armed = (this.armed == timer) ? null : this.armed;
			after.addAll(this.book.alarms().due(this.time.nanos()));
			arm();
		});
	}

	@Override
	public void open() {
		locked((after) -> this.book.setOpen(true, after));
	}

	@Override
	public void close() {
		locked((after) -> this.book.setOpen(false, after));
	}

	/**
	 * A timer for the next alarm.
	 */
	private final class AlarmTimer {

		private final long atNanos;

		private final Runnable cancel;

		AlarmTimer(long atNanos) {
			this.atNanos = atNanos;
			this.cancel = FairWaitQueues.this.settings.timer()
				.once(Duration.ofNanos(Math.max(0, atNanos - FairWaitQueues.this.time.nanos())), () -> fire(this));
		}

	}

	/**
	 * Determines the rules that apply to a waiting request after the active rules have
	 * changed.
	 */
	private static final class WaitRefresh {

		private WaitRefresh() {
		}

		/**
		 * Return the current versions of rules.
		 * @param applied the rules so far
		 * @param editions the editions
		 * @return the rules that still exist; a rule with a changed key remains in its
		 * former version, because the request's subject does not belong to the new key
		 */
		static List<AppliedRule> in(List<AppliedRule> applied, Editions editions) {
			List<AppliedRule> refreshed = new ArrayList<>(applied.size());
			for (AppliedRule one : applied) {
				Optional<CompiledRule> next = editions.current().rule(one.rule().rule().id());
				next.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
					.ifPresent((rule) -> refreshed.add(in(one, rule, editions)));
			}
			return refreshed;
		}

		private static AppliedRule in(AppliedRule before, CompiledRule rule, Editions editions) {
			if (before.exempt() || !before.rule().rule().key().equals(rule.rule().key())) {
				return before;
			}
			CompiledRule next = rule.of(before.subject());
			Sanction sanction = editions.sanctions().find(rule.rule().id(), before.subject());
			if (sanction == null) {
				return (before.rule() == next) ? before
						: new AppliedRule(next, limits(before, next), before.subject(), before.cost());
			}
			AppliedRule denial = sanction.denial(next, before.subject(), editions.time().nanos());
			return (denial != null) ? denial
					: new AppliedRule(sanction.marking(next), limits(before, next), before.subject(), before.cost());
		}

		private static CompiledLimits limits(AppliedRule before, CompiledRule next) {
			if (next.limitsByPlan(before.subject())) {
				for (Map.Entry<String, CompiledLimits> plan : before.rule().plans().entrySet()) {
					if (plan.getValue().include(before.limits())) {
						return plan.getValue()
							.ofSameLevel(before.limits(), next.limits(before.subject(), Optional.of(plan.getKey())));
					}
				}
			}
			return before.rule().limits(before.subject()).ofSameLevel(before.limits(), next.limits(before.subject()));
		}

	}

}
