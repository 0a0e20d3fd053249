package dev.ratelimit.load;

import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.web.Entry;
import dev.ratelimit.web.ExpectedSeat;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.LevelRule;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.LoadStage;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpMethod;

/**
 * Internal: the load guard as a stage around the rules of one phase. Requests that cannot
 * expect a seat are shed before the rules are evaluated. Other requests take a seat after
 * the evaluation. Thread-safe.
 */
public final class SeatStage implements LoadStage {

	private final SeatOffice office;

	private final Levels levels;

	private final Phase phase;

	private final boolean byCaller;

	/** Null if this is the stage of management. */
	private final @Nullable SeatStage management;

	/**
	 * Create a stage.
	 * @param guard assigns the seats
	 * @param levels finds the level of a request
	 * @param phase the phase of the stage; late if there is no authentication between the
	 * phases
	 * @param byCaller whether clients are identified by their names; otherwise by their
	 * addresses
	 * @param nanos the time
	 */
	public SeatStage(LoadGuard guard, Levels levels, Phase phase, boolean byCaller, LongSupplier nanos) {
		this(new SeatOffice(guard, new RouteNumbers(), nanos), levels, phase, byCaller,
				new SeatStage(new SeatOffice(guard.ofManagement(nanos.getAsLong()), new RouteNumbers(), nanos),
						Levels.NONE, phase, false, null));
	}

	private SeatStage(SeatOffice office, Levels levels, Phase phase, boolean byCaller, @Nullable SeatStage management) {
		this.office = office;
		this.levels = levels;
		this.phase = phase;
		this.byCaller = byCaller;
		this.management = management;
	}

	@Override
	public boolean isOf(Phase other) {
		return this.phase == other;
	}

	/**
	 * Return the guard.
	 * @return the guard, which assigns the seats
	 */
	LoadGuard guard() {
		return this.office.guard();
	}

	@Override
	public LevelRule level(Entry entry, GateRequest request, @Nullable Level annotated) {
		return stage(entry).levels.of(request, annotated);
	}

	@Override
	public boolean sheds(Entry entry, GateRequest request, LevelRule level) {
		SeatStage stage = stage(entry);
		stage.levels.count(request);
		return stage.guard().sheds(level.requiredLevel(), stage.flow(request), stage.office.now());
	}

	// Preflights are not measured, because the response precedes the handler. The first
	// branch is the fast path: the rules have already decided nearly all requests.
	@Override
	public CompletableFuture<RequestProgress> seat(Entry entry, CompletableFuture<RequestProgress> charged,
			GateRequest request, LevelRule level, RuleStage<GateRequest> rules) {
		SeatStage stage = stage(entry);
		boolean measured = entry == Entry.COUNTED;
		// Read here, because only this thread may know the user.
		String flow = stage.flow(request);
		return (charged.isDone() && !charged.isCompletedExceptionally())
				? stage.seat(charged.join(), request, flow, level, measured, rules)
				: charged.thenCompose((progress) -> stage.seat(progress, request, flow, level, measured, rules));
	}

	// Requests to management use separate seats.
	private SeatStage stage(Entry entry) {
		SeatStage own = this.management;
		return (own != null && entry.isManagement()) ? own : this;
	}

	@Override
	public Optional<ExpectedSeat> expected(GateRequest request, @Nullable Level annotated) {
		Level level = this.levels.of(request, annotated).requiredLevel();
		return Optional.of(new ExpectedSeat(level, guard().wouldShed(level, flow(request), this.office.now())));
	}

	@Override
	public CompletableFuture<RequestProgress> seatAfterWait(CompletableFuture<RequestProgress> charged,
			GateRequest request, @Nullable Level annotated, RuleStage<GateRequest> rules) {
		if (charged.isDone() && !charged.isCompletedExceptionally() && !charged.join().waits()) {
			return charged;
		}
		String flow = flow(request);
		LevelRule level = this.levels.of(request, annotated);
		return charged.thenCompose(
				(progress) -> (progress.waits()) ? seat(progress, request, flow, level, true, rules) : charged);
	}

	// The name of a user has a prefix, because it can be equal to an address of another
	// client.
	private String flow(GateRequest request) {
		return (this.byCaller) ? request.principal()
			.map(Principal::getName)
			.map((name) -> Subjects.part("user", name))
			.orElseGet(() -> request.client().key()) : request.client().key();
	}

	private CompletableFuture<RequestProgress> seat(RequestProgress progress, GateRequest request, String flow,
			LevelRule level, boolean measured, RuleStage<GateRequest> rules) {
		if (!progress.allowed()) {
			return CompletableFuture.completedFuture(progress);
		}
		if (progress.waits()) {
			return CompletableFuture
				.completedFuture(progress.then((next) -> seat(next, request, flow, level, measured, rules)));
		}
		SeatEnding seat = guard()
			.seat(new SeatEnding(this.office, request, level.requiredLevel(), flow, measured, this.office.now()));
		if (!seat.isWaiting()) {
			return decided(seat, progress, request, level, rules);
		}
		// The timer of CompletableFuture has one thread for the whole JVM, so observers
		// of the rejection must not run there.
		Disposable expiry = expiry(seat);
		return seat.decided().thenCompose((decided) -> {
			expiry.dispose();
			return decided(seat, progress, request, level, rules);
		});
	}

	private Disposable expiry(SeatEnding seat) {
		try {
			return Schedulers.parallel()
				.schedule(() -> guard().expire(seat), guard().maxWaitNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			// The timer is being shut down.
			guard().expire(seat);
			return Disposables.disposed();
		}
	}

	private static CompletableFuture<RequestProgress> decided(SeatEnding seat, RequestProgress allowed,
			GateRequest request, LevelRule level, RuleStage<GateRequest> rules) {
		if (seat.isShed()) {
			return rules.shed(request, allowed);
		}
		if (level.longLived()) {
			seat.startStreaming();
			return CompletableFuture.completedFuture(allowed);
		}
		return CompletableFuture.completedFuture(allowed.ending(seat));
	}

	/**
	 * The seat of a request, which is freed when the request ends. The time for which a
	 * request had its seat is a measure of the load only if the request succeeded.
	 */
	private static final class SeatEnding extends Seat implements Ending {

		private static final int OK = 200;

		private static final int PARTIAL_CONTENT = 206;

		private static final int NOT_MODIFIED = 304;

		private static final int BAD_REQUEST = 400;

		private final SeatOffice office;

		private final GateRequest request;

		private final boolean measured;

		SeatEnding(SeatOffice office, GateRequest request, Level level, String flow, boolean measured, long nowNanos) {
			super(level, flow, nowNanos);
			this.office = office;
			this.request = request;
			this.measured = measured;
		}

		@Override
		public void free(int status) {
			if (this.measured && isWhole(status) && !HttpMethod.HEAD.matches(this.request.method())) {
				this.office.leave(this, this.request.servedPattern());
			}
			else {
				this.office.leave(this);
			}
		}

		// Partial and unchanged responses are not measured: clients choose to receive
		// them, and their duration is not that of the route.
		private static boolean isWhole(int status) {
			return status >= OK && status < BAD_REQUEST && status != PARTIAL_CONTENT && status != NOT_MODIFIED;
		}

		@Override
		public void startStreaming() {
			this.office.leave(this);
		}

	}

	/**
	 * The collaborators that take and free the seats of all requests.
	 *
	 * @param guard assigns the seats
	 * @param routes numbers the routes
	 * @param nanos the time
	 */
	private record SeatOffice(LoadGuard guard, RouteNumbers routes, LongSupplier nanos) {

		long now() {
			return this.nanos.getAsLong();
		}

		void leave(Seat seat) {
			this.guard.leave(seat, LoadGuard.NO_SAMPLE, now());
		}

		void leave(Seat seat, @Nullable Object pattern) {
			this.guard.leave(seat, this.routes.of(pattern), now());
		}

	}

}
