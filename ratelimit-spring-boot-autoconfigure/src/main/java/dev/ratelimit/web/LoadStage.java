package dev.ratelimit.web;

import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.Seat;
import dev.ratelimit.web.request.GateRequest;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the stage around the rules of one phase that protects this instance: a
 * request which has no chance of a seat is shed before the rules are evaluated; the
 * others take a seat after that. Thread-safe.
 */
public final class LoadStage {

	private final LoadGuard guard;

	private final Levels levels;

	private final Phase phase;

	private final boolean byCaller;

	private final LongSupplier nanos;

	private final RouteNumbers routes = new RouteNumbers();

	/**
	 * A stage.
	 * @param guard gives out the seats
	 * @param levels tells the level of a request
	 * @param phase the phase that it belongs to; late if there is no authentication
	 * between the phases
	 * @param byCaller whether clients are told apart by their names; otherwise by their
	 * addresses
	 * @param nanos the time
	 */
	public LoadStage(LoadGuard guard, Levels levels, Phase phase, boolean byCaller, LongSupplier nanos) {
		this.guard = guard;
		this.levels = levels;
		this.phase = phase;
		this.byCaller = byCaller;
		this.nanos = nanos;
	}

	boolean isOf(Phase other) {
		return this.phase == other;
	}

	/**
	 * The guard.
	 * @return what gives out the seats
	 */
	public LoadGuard guard() {
		return this.guard;
	}

	/**
	 * What would become of a request now. Nothing is counted.
	 * @param request the request
	 * @param annotated the level of its handler, if it says one
	 * @return its level, and whether it would be shed
	 */
	public ExpectedSeat expected(GateRequest request, @Nullable Level annotated) {
		Level level = this.levels.of(request, annotated).requiredLevel();
		return new ExpectedSeat(level, this.guard.wouldShed(level, flow(request), this.nanos.getAsLong()));
	}

	/**
	 * Evaluate the rules for a request, unless it is shed, and give it a seat if they
	 * allow it.
	 * @param request the request
	 * @param annotated the level of its handler, if it says one
	 * @param sofar how far it has come
	 * @param rules evaluates the rules
	 * @param shed rejects the request, of which nothing is charged
	 * @return how far it has come
	 */
	CompletableFuture<RequestProgress> around(GateRequest request, @Nullable Level annotated, RequestProgress sofar,
			Supplier<CompletableFuture<RequestProgress>> rules,
			Function<RequestProgress, CompletableFuture<RequestProgress>> shed) {
		this.levels.count(request);
		LevelRule level = this.levels.of(request, annotated);
		String flow = flow(request);
		if (this.guard.sheds(level.requiredLevel(), flow, this.nanos.getAsLong())) {
			return undo(sofar, shed);
		}
		CompletableFuture<RequestProgress> charged = rules.get();
		return (charged.isDone() && !charged.isCompletedExceptionally())
				? seat(charged, charged.join(), request, level, shed)
				: charged.thenCompose((progress) -> seat(charged, progress, request, level, shed));
	}

	/**
	 * Give a request a seat that has waited in a line, where it has none.
	 * @param request the request
	 * @param annotated the level of its handler, if it says one
	 * @param charged the rules that it may have to wait for
	 * @param shed rejects the request, of which nothing is charged
	 * @return how far it has come
	 */
	CompletableFuture<RequestProgress> again(GateRequest request, @Nullable Level annotated,
			CompletableFuture<RequestProgress> charged,
			Function<RequestProgress, CompletableFuture<RequestProgress>> shed) {
		return charged.thenCompose((progress) -> (progress.waits())
				? seat(charged, progress, request, this.levels.of(request, annotated), shed) : charged);
	}

	private String flow(GateRequest request) {
		return (this.byCaller) ? request.principal().map(Principal::getName).orElseGet(() -> request.client().key())
				: request.client().key();
	}

	private CompletableFuture<RequestProgress> seat(CompletableFuture<RequestProgress> charged,
			RequestProgress progress, GateRequest request, LevelRule level,
			Function<RequestProgress, CompletableFuture<RequestProgress>> shed) {
		if (!progress.allowed()) {
			return charged;
		}
		if (progress.waits()) {
			return CompletableFuture.completedFuture(
					progress.then((turn) -> seat(CompletableFuture.completedFuture(turn), turn, request, level, shed)));
		}
		Level own = level.requiredLevel();
		Seat seat = this.guard.seat(own, flow(request), this.nanos.getAsLong());
		if (!seat.isWaiting()) {
			return decided(seat, progress, request, level, shed);
		}
		CompletableFuture.delayedExecutor(this.guard.maxWaitNanos(), TimeUnit.NANOSECONDS, Runnable::run)
			.execute(() -> this.guard.expire(seat));
		return seat.decided().thenCompose((decided) -> decided(decided, progress, request, level, shed));
	}

	private CompletableFuture<RequestProgress> decided(Seat seat, RequestProgress allowed, GateRequest request,
			LevelRule level, Function<RequestProgress, CompletableFuture<RequestProgress>> shed) {
		if (seat.isShed()) {
			return undo(allowed, shed);
		}
		SeatEnding ending = new SeatEnding(this.guard, seat, this.routes, request, this.nanos);
		if (level.longLived()) {
			ending.streams();
			return CompletableFuture.completedFuture(allowed);
		}
		return CompletableFuture.completedFuture(allowed.ending(ending));
	}

	private static CompletableFuture<RequestProgress> undo(RequestProgress progress,
			Function<RequestProgress, CompletableFuture<RequestProgress>> shed) {
		progress.decision().reservation().cancel();
		return shed.apply(progress);
	}

}
