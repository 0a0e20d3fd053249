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
import dev.ratelimit.engine.Asked;
import dev.ratelimit.engine.LineRequest;
import dev.ratelimit.engine.LineState;
import dev.ratelimit.engine.RuleEvaluation;
import dev.ratelimit.engine.Turn;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.queue.Place;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * All lines, and who waits in them. Not thread-safe but for what reads {@link #known}:
 * {@link Lines} holds its lock, and afterwards runs what is to be done without it.
 */
final class LineBook {

	private final LineSettings settings;

	private final Time time;

	private final Consumer<Line> pump;

	private final Consumer<Waiter> expire;

	/** Read without the lock, too. */
	private final Map<Bucket, Line> lines = new ConcurrentHashMap<>();

	private final LineEnds ends;

	private final WaitingPlaces places;

	private boolean closed;

	/**
	 * Without lines.
	 * @param evaluation tells decisions
	 * @param settings how many may wait
	 * @param time the time
	 * @param pump tries those of a line whose turn it is
	 * @param expire ends the wait of a waiter
	 */
	LineBook(RuleEvaluation evaluation, LineSettings settings, Time time, Consumer<Line> pump,
			Consumer<Waiter> expire) {
		this.settings = settings;
		this.places = new WaitingPlaces(settings.maxWaiting());
		this.ends = new LineEnds(evaluation, settings.listener(), time);
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

	LineEnds ends() {
		return this.ends;
	}

	Collection<Line> lines() {
		return this.lines.values();
	}

	@Nullable Line line(Bucket bucket) {
		return this.lines.get(bucket);
	}

	/**
	 * A line that a request must join. Needs no lock.
	 * @param request the request
	 * @return what it waits for there; null if nobody waits for a bucket of the request
	 */
	@Nullable Holdup known(LineRequest request) {
		if (this.lines.isEmpty() || RuleEvaluation.rejectsAtOnce(request.applied())) {
			return null;
		}
		for (int i = 0; i < request.applied().size(); i++) {
			AppliedRule rule = request.applied().get(i);
			if (request.maxNanos(rule) >= 0) {
				for (Bucket bucket : Holdup.buckets(rule)) {
					if (this.lines.containsKey(bucket)) {
						return new Holdup(bucket, rule, 0);
					}
				}
			}
		}
		return null;
	}

	/**
	 * Let a request wait, or reject it.
	 * @param waiter the request
	 * @param held what it waits for
	 * @param asked what the store said; null if it was not asked
	 * @param after what to do without the lock
	 */
	void join(Waiter waiter, Holdup held, @Nullable Asked asked, List<Runnable> after) {
		long nowNanos = this.time.nanos();
		Line line = line(waiter, held, nowNanos);
		String flow = waiter.flow(held);
		long estimate = line.estimateNanos(flow, held.rule().cost(), nowNanos);
		if (this.closed) {
			this.ends.end(waiter, held, asked, LineAnswers.closed(held), LineListener.End.CLOSED, after);
		}
		else if (nowNanos + estimate - waiter.latestNanos(held) > 0) {
			Decision decision = (asked != null) ? LineAnswers.denied(asked, held, estimate)
					: LineAnswers.full(held, estimate);
			this.ends.end(waiter, held, asked, decision, LineListener.End.LINE_FULL, after);
		}
		else if (!hasRoom(waiter, line, flow) || !waiter.takePlaces(this.places, flow, after)
				|| !makeRoom(line, flow, after)) {
			this.ends.end(waiter, held, asked, LineAnswers.full(held, estimate), LineListener.End.LINE_FULL, after);
		}
		else {
			this.lines.put(held.bucket(), line);
			this.ends.enter(waiter, line, held, () -> this.expire.accept(waiter));
			after.add(() -> this.pump.accept(line));
		}
	}

	private Line line(Waiter waiter, Holdup held, long nowNanos) {
		Line known = this.lines.get(held.bucket());
		return (known != null) ? known
				: Line.of(held, waiter.request().queue(held.rule()), this.settings.instances().getAsInt(), nowNanos);
	}

	// A request loses its place only if another one can wait instead.
	private boolean hasRoom(Waiter waiter, Line line, String flow) {
		return line.queue().hasRoom(flow) && waiter.canTakePlaces(this.places, flow);
	}

	private boolean makeRoom(Line line, String flow, List<Runnable> after) {
		if (!line.queue().isFull()) {
			return true;
		}
		Waiter displaced = line.queue().displace(flow).orElse(null);
		if (displaced != null) {
			giveUp(displaced, LineListener.End.LINE_FULL, after);
		}
		return displaced != null;
	}

	/**
	 * An attempt has ended.
	 * @param line the line
	 * @param place the place of the request that was tried
	 * @param asked what the store said; null if it failed
	 * @param failure why it failed
	 * @param after what to do without the lock
	 */
	void attempted(Line line, Place<Waiter> place, @Nullable Asked asked, @Nullable Throwable failure,
			List<Runnable> after) {
		Waiter waiter = place.item();
		if (asked == null) {
			this.ends.leave(waiter,
					() -> waiter.turn()
						.completeExceptionally(
								(failure != null) ? failure : new IllegalStateException("the store completed nothing")),
					after);
		}
		else if (waiter.isDone()) {
			after.add(() -> asked.decision().reservation().cancel());
		}
		else if (asked.decision().allowed()) {
			long cost = waiter.held().map((held) -> held.rule().cost()).orElse(0L);
			line.admitted(place, cost, asked.verdict(line.bucket()), this.time.nanos());
			this.ends.end(waiter, waiter.held().orElse(null), asked, asked.decision(), LineListener.End.ADMITTED,
					after);
		}
		else {
			denied(line, place, asked, after);
		}
		line.tried(this.time.nanos());
		line.hopeless().forEach((hopeless) -> giveUp(hopeless, LineListener.End.WAITED_OUT, after));
	}

	private void denied(Line line, Place<Waiter> place, Asked asked, List<Runnable> after) {
		Waiter waiter = place.item();
		Holdup held = Holdup.of(asked, waiter.request());
		if (held == null) {
			this.ends.end(waiter, waiter.held().orElse(null), asked, asked.decision(), LineListener.End.REJECTED,
					after);
		}
		else if (!held.bucket().equals(line.bucket()) || this.closed) {
			this.ends.exit(waiter);
			join(waiter, held, asked, after);
		}
		else {
			line.denied(held.retryNanos());
			if (this.time.nanos() + held.retryNanos() - waiter.latestNanos(held) > 0) {
				this.ends.end(waiter, held, asked, LineAnswers.waitedOut(held, held.retryNanos()),
						LineListener.End.WAITED_OUT, after);
			}
			else {
				waiter.putBack(place);
			}
		}
	}

	/**
	 * End a wait in vain.
	 * @param waiter the request
	 * @param end how it ends
	 * @param after what to do without the lock
	 */
	void giveUp(Waiter waiter, LineListener.End end, List<Runnable> after) {
		waiter.held().filter((held) -> !waiter.isDone()).ifPresent((held) -> {
			Line line = this.lines.get(held.bucket());
			long retry = (line != null) ? line.estimateNanos(waiter.flow(held), held.rule().cost(), this.time.nanos())
					: 0;
			this.ends.end(waiter, held, null, LineAnswers.of(end, held, retry), end, after);
		});
	}

	/**
	 * The line for a bucket of a rule.
	 * @param rule the rule
	 * @param flow the flow of a newcomer
	 * @return the longest of the rule's lines
	 */
	Optional<LineState> find(AppliedRule rule, String flow) {
		LineState longest = null;
		for (Bucket bucket : Holdup.buckets(rule)) {
			Line line = this.lines.get(bucket);
			if (line != null && (longest == null || line.queue().size() > longest.length())) {
				longest = new LineState(line.queue().size(),
						Duration.ofNanos(line.estimateNanos(flow, rule.cost(), this.time.nanos())));
			}
		}
		return Optional.ofNullable(longest);
	}

	void forget(Line line) {
		this.lines.remove(line.bucket(), line);
	}

	/**
	 * Let requests wait, or reject all that wait and that come from now on.
	 * @param open whether requests can wait
	 * @param after what to do without the lock
	 */
	void setOpen(boolean open, List<Runnable> after) {
		this.closed = !open;
		for (Line line : (open) ? List.<Line>of() : List.copyOf(this.lines.values())) {
			line.queue().clear().forEach((waiter) -> giveUp(waiter, LineListener.End.CLOSED, after));
		}
	}

	/**
	 * What requests are told that wait for a bucket, or may not.
	 */
	private static final class LineAnswers {

		private static final long SECOND = 1000;

		private LineAnswers() {
		}

		static Decision full(Holdup held, long retryNanos) {
			return rejection(held, Outcome.LINE_FULL, Reason.LIMIT_EXCEEDED, retryNanos);
		}

		static Decision of(LineListener.End end, Holdup held, long retryNanos) {
			return switch (end) {
				case WAITED_OUT -> waitedOut(held, retryNanos);
				case CLOSED -> closed(held);
				default -> full(held, retryNanos);
			};
		}

		static Decision waitedOut(Holdup held, long retryNanos) {
			return rejection(held, Outcome.WAITED_OUT, Reason.LIMIT_EXCEEDED, retryNanos);
		}

		// Another instance can serve the request, in a second.
		static Decision closed(Holdup held) {
			return rejection(held, Outcome.FAILED_CLOSED, Reason.STORE_UNAVAILABLE,
					TimeUnit.MILLISECONDS.toNanos(SECOND));
		}

		// What the store said, with the wait that the line adds.
		static Decision denied(Asked asked, Holdup held, long retryNanos) {
			List<Verdict> verdicts = asked.decision()
				.verdicts()
				.stream()
				.map((verdict) -> (verdict == asked.verdict(held.bucket())) ? later(verdict, millis(retryNanos))
						: verdict)
				.toList();
			return new Decision(false, asked.decision().reason(), asked.decision().source(), verdicts);
		}

		private static Verdict later(Verdict verdict, long retryMillis) {
			return new Verdict(verdict.policy(), verdict.outcome(), verdict.cost(), verdict.remaining(),
					Math.max(verdict.retryAfterMillis(), retryMillis), verdict.resetAfterMillis(),
					verdict.nextUnitMillis());
		}

		private static Decision rejection(Holdup held, Outcome outcome, Reason reason, long retryNanos) {
			return new Decision(false, reason, Source.LOCAL, List.of(Verdict.unmeasured(held.bucket().family().policy(),
					outcome, held.rule().cost(), millis(retryNanos))));
		}

		private static long millis(long nanos) {
			return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
		}

	}

	/**
	 * Counts those that wait, and ends waits. Not thread-safe: {@link Lines} holds its
	 * lock, and afterwards runs what is to be done without it.
	 */
	static final class LineEnds {

		private final RuleEvaluation evaluation;

		private final LineListener listener;

		private final Time time;

		private final Alarms<Runnable> alarms = new Alarms<>();

		private int waiting;

		LineEnds(RuleEvaluation evaluation, LineListener listener, Time time) {
			this.evaluation = evaluation;
			this.listener = listener;
			this.time = time;
		}

		Alarms<Runnable> alarms() {
			return this.alarms;
		}

		int waiting() {
			return this.waiting;
		}

		void enter(Waiter waiter, Line line, Holdup held, Runnable expired) {
			this.waiting++;
			waiter.enter(line, held, this.alarms.at(waiter.latestNanos(held), expired));
		}

		/**
		 * Take a waiter out of its line, if it is in one.
		 * @param waiter the request
		 */
		void exit(Waiter waiter) {
			if (waiter.isWaiting()) {
				this.waiting--;
			}
			waiter.exit(this.alarms);
		}

		/**
		 * End a wait, if there was one, with a decision.
		 * @param waiter the request
		 * @param held what it waited for last; null if it did not wait
		 * @param asked what the store said; null if it was not asked last
		 * @param decision the decision
		 * @param end how the wait ended
		 * @param after what to do without the lock
		 */
		void end(Waiter waiter, @Nullable Holdup held, @Nullable Asked asked, Decision decision, LineListener.End end,
				List<Runnable> after) {
			List<AppliedRule> applied = (asked != null) ? asked.applied() : waiter.request().applied();
			long startNanos = (asked != null) ? asked.startNanos() : this.time.nanos();
			leave(waiter, () -> {
				this.evaluation.tell(applied, decision, startNanos);
				if (held != null) {
					tell(held, end, waiter);
				}
				waiter.turn().complete(new Turn(decision, applied));
			}, after);
		}

		/**
		 * Nobody waits for a waiter any more.
		 * @param waiter the request
		 * @param after what to do without the lock
		 */
		void cancel(Waiter waiter, List<Runnable> after) {
			leave(waiter, () -> {
				waiter.held().ifPresent((held) -> tell(held, LineListener.End.CANCELED, waiter));
				waiter.turn().cancel(false);
			}, after);
		}

		/**
		 * Let a waiter go.
		 * @param waiter the request
		 * @param told tells it
		 * @param after what to do without the lock
		 */
		void leave(Waiter waiter, Runnable told, List<Runnable> after) {
			if (!waiter.isDone()) {
				exit(waiter);
				waiter.end(this.time.nanos());
				after.add(told);
			}
		}

		private void tell(Holdup held, LineListener.End end, Waiter waiter) {
			this.listener.waited(held.rule().rule().rule().id(), end, waiter.endedAfterNanos());
		}

	}

}
