package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.EventLoops;
import dev.ratelimit.gate.RequestProgress;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.function.SingletonSupplier;

/**
 * Calls the gate before a method. If the method returns a publisher, the gate decides
 * each subscription without blocking. For other methods, the thread waits for the
 * decision, up to the deadline. Thread-safe.
 */
final class RateLimitInterceptor implements MethodInterceptor {

	private final Supplier<MethodGate> gate;

	// Bounded by the number of limited methods in the code.
	private final Map<Call, CalledMethod> methods = new ConcurrentHashMap<>();

	RateLimitInterceptor(Supplier<MethodGate> gate) {
		this.gate = SingletonSupplier.of(gate);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Object called = (target != null) ? target : ((ProxyMethodInvocation) invocation).getProxy();
		CalledMethod method = this.methods.computeIfAbsent(new Call(called.getClass(), invocation.getMethod()),
				Call::find);
		if (method.returned() instanceof LimitedMethod.Later later) {
			return later.wrap(call((ProxyMethodInvocation) invocation, method, later));
		}
		Optional<LimitedMethod> limited = limited(method);
		return (limited.isPresent()) ? call(invocation, limited.get()) : invocation.proceed();
	}

	// Return the method with its active rules, if there are some.
	private Optional<LimitedMethod> limited(CalledMethod method) {
		return this.gate.get().find(method.candidates()).filter((found) -> !found.rules().isEmpty());
	}

	private @Nullable Object call(MethodInvocation invocation, LimitedMethod limited) throws Throwable {
		boolean future = limited.returned() == LimitedMethod.Returned.FUTURE;
		Decision decision = await(limited, invocation);
		if (!decision.allowed()) {
			RateLimitExceededException rejection = new RateLimitExceededException(decision);
			if (future) {
				return CompletableFuture.failedFuture(rejection);
			}
			throw rejection;
		}
		return (limited.holding()) ? holding(invocation, decision) : invocation.proceed();
	}

	private Decision await(LimitedMethod limited, MethodInvocation invocation) {
		if (EventLoops.containCurrentThread()) {
			throw new IllegalStateException(invocation.getMethod() + " is rate limited and must wait for the decision,"
					+ " but was called on " + Thread.currentThread().getName()
					+ ", which must not block: return a Mono, or call it on Schedulers.boundedElastic()");
		}
		MethodGate current = this.gate.get();
		return current.await(limited, current.user().find(), invocation.getArguments());
	}

	private static @Nullable Object holding(MethodInvocation invocation, Decision decision) throws Throwable {
		boolean begun = false;
		try {
			Object result = invocation.proceed();
			if (result instanceof CompletionStage<?> stage) {
				begun = true;
				stage.whenComplete((value, failure) -> decision.reservation().release());
			}
			return result;
		}
		finally {
			if (!begun) {
				decision.reservation().release();
			}
		}
	}

	// Each subscription is a separate call, with the rules that are active then, so each
	// uses a clone of the invocation.
	private Mono<Publisher<?>> call(ProxyMethodInvocation invocation, CalledMethod method, LimitedMethod.Later later) {
		MethodGate current = this.gate.get();
		ProxyMethodInvocation fresh = (ProxyMethodInvocation) invocation.invocableClone();
		return Mono.deferContextual((subscription) -> {
			MethodInvocation own = fresh.invocableClone();
			Optional<LimitedMethod> limited = limited(method);
			return (limited.isEmpty()) ? Mono.fromSupplier(() -> proceed(own, later))
					: current.user()
						.findLater()
						.map((user) -> LaterCall.of(
								() -> current.enter(limited.get(), user, own.getArguments(), subscription),
								limited.get(), own, later));
		});
	}

	private static Publisher<?> proceed(MethodInvocation invocation, LimitedMethod.Later later) {
		try {
			return later.in().apply(invocation.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/**
	 * The called method and the class of the target.
	 *
	 * @param type the class of the target
	 * @param method the method that is called
	 */
	private record Call(Class<?> type, Method method) {

		CalledMethod find() {
			return CalledMethod
				.of(BeanMethods.types(this.type).map((user) -> BeanMethod.ofCall(user, this.method)).toList());
		}

	}

	/**
	 * A called method.
	 *
	 * @param candidates the method in each class whose annotations may apply to it, that
	 * of the target first
	 * @param returned the form of its result
	 */
	private record CalledMethod(List<BeanMethod> candidates, LimitedMethod.Returned returned) {

		static CalledMethod of(List<BeanMethod> candidates) {
			return new CalledMethod(candidates, LimitedMethod.returned(candidates.get(0).method()));
		}

	}

	/**
	 * One call of a method that begins with the subscription. At its end, its slots are
	 * freed. If it ends before the method is called, its charges are refunded.
	 */
	private static final class LaterCall {

		private final CompletableFuture<RequestProgress> entered;

		private final CompletableFuture<Decision> decision;

		private final MethodInvocation invocation;

		private final LimitedMethod.Later later;

		/**
		 * Set by the call of the method or by the end of the subscription, whichever is
		 * first.
		 */
		private final AtomicBoolean begun = new AtomicBoolean();

		private LaterCall(CompletableFuture<RequestProgress> entered, LimitedMethod method, MethodInvocation invocation,
				LimitedMethod.Later later) {
			this.entered = entered;
			this.decision = entered.thenCompose(RequestProgress::afterWait).thenApply(method::decided);
			this.invocation = invocation;
			this.later = later;
		}

		static Publisher<?> of(Supplier<CompletableFuture<RequestProgress>> entered, LimitedMethod method,
				MethodInvocation invocation, LimitedMethod.Later later) {
			return (later.several())
					? Flux.defer(() -> new LaterCall(entered.get(), method, invocation, later).several())
					: Mono.defer(() -> new LaterCall(entered.get(), method, invocation, later).single());
		}

		private Flux<?> several() {
			return allowed().flatMapMany((allowed) -> proceed()).doFinally((signal) -> end());
		}

		// Subscribes without a conversion of the publisher, because operators that take
		// the first value would cancel the publisher after it.
		private Mono<?> single() {
			return allowed().flatMap((allowed) -> Mono.fromDirect(proceed())).doFinally((signal) -> end());
		}

		private Mono<Decision> allowed() {
			if (this.decision.isDone()) {
				return Mono.just(this.decision.join()).flatMap(LaterCall::allowed);
			}
			// The method must not block the threads of the store.
			return Mono.fromFuture(this.decision, true).publishOn(Schedulers.parallel()).flatMap(LaterCall::allowed);
		}

		private static Mono<Decision> allowed(Decision decision) {
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
			return RateLimitInterceptor.proceed(this.invocation, this.later);
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

}
