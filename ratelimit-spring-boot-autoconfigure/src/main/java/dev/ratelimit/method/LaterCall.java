package dev.ratelimit.method;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.Reservation;
import dev.ratelimit.gate.RequestProgress;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * One call of a method that begins when somebody subscribes. Whenever it ends, what it
 * holds is freed; if it ends before the method is called, everything is refunded.
 */
final class LaterCall {

	private final CompletableFuture<RequestProgress> entered;

	private final CompletableFuture<Decision> decision;

	private final MethodInvocation invocation;

	private final LimitedMethod.Later later;

	/** Set by the first of the method's call and the end. */
	private final AtomicBoolean begun = new AtomicBoolean();

	private LaterCall(CompletableFuture<RequestProgress> entered, MethodInvocation invocation,
			LimitedMethod.Later later) {
		this.entered = entered;
		this.decision = entered.thenCompose(RequestProgress::turn).thenApply(RequestProgress::decision);
		this.invocation = invocation;
		this.later = later;
	}

	static Publisher<?> of(Supplier<CompletableFuture<RequestProgress>> entered, MethodInvocation invocation,
			LimitedMethod.Later later) {
		return (later.several()) ? Flux.defer(() -> new LaterCall(entered.get(), invocation, later).several())
				: Mono.defer(() -> new LaterCall(entered.get(), invocation, later).single());
	}

	private Flux<?> several() {
		return admitted().flatMapMany((admitted) -> proceed()).doFinally((signal) -> end());
	}

	// A single value must reach its end, not be cancelled once it is there.
	private Mono<?> single() {
		return admitted().flatMap((admitted) -> Mono.fromDirect(proceed())).doFinally((signal) -> end());
	}

	private Mono<Decision> admitted() {
		if (this.decision.isDone()) {
			return Mono.just(this.decision.join()).flatMap(LaterCall::admitted);
		}
		// The store's threads must not be held up by what comes after the decision.
		return Mono.fromFuture(this.decision, true).publishOn(Schedulers.parallel()).flatMap(LaterCall::admitted);
	}

	private static Mono<Decision> admitted(Decision decision) {
		if (!decision.allowed()) {
			return Mono.error(() -> new RateLimitExceededException(decision));
		}
		long delayMillis = decision.delayMillis();
		return (delayMillis > 0) ? Mono.delay(Duration.ofMillis(delayMillis)).thenReturn(decision)
				: Mono.just(decision);
	}

	private Publisher<?> proceed() {
		if (!this.begun.compareAndSet(false, true)) {
			return Mono.empty();
		}
		try {
			return this.later.in().apply(this.invocation.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private void end() {
		boolean called = !this.begun.compareAndSet(false, true);
		if (!called) {
			this.entered.thenAccept(RequestProgress::free);
		}
		this.decision.thenAccept((decided) -> end(decided.reservation(), called));
	}

	private static void end(Reservation reservation, boolean called) {
		if (called) {
			reservation.release();
		}
		else {
			reservation.cancel();
		}
	}

}
