package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
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
 * Asks the gate before a method is called. A publisher is decided by each subscription,
 * without blocking; everything else waits for its decision, at most the deadline.
 * Thread-safe.
 */
final class RateLimitInterceptor implements MethodInterceptor {

	private final Supplier<MethodGate> gate;

	// Bounded by the code: as many as there are limited methods.
	private final Map<Call, List<BeanMethod>> candidates = new ConcurrentHashMap<>();

	RateLimitInterceptor(Supplier<MethodGate> gate) {
		this.gate = SingletonSupplier.of(gate);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Object called = (target != null) ? target : ((ProxyMethodInvocation) invocation).getProxy();
		List<BeanMethod> methods = this.candidates.computeIfAbsent(new Call(called.getClass(), invocation.getMethod()),
				Call::candidates);
		Optional<LimitedMethod> limited = this.gate.get().find(methods).filter((found) -> !found.rules().isEmpty());
		if (limited.isEmpty()) {
			return invocation.proceed();
		}
		return (limited.get().returned() instanceof LimitedMethod.Later later)
				? later.wrap(call((ProxyMethodInvocation) invocation, limited.get(), later))
				: call(invocation, limited.get());
	}

	private @Nullable Object call(MethodInvocation invocation, LimitedMethod limited) throws Throwable {
		boolean future = limited.returned() == LimitedMethod.Returned.FUTURE;
		Decision decision = await(limited, invocation);
		if (!decision.allowed()) {
			RateLimitExceededException refusal = new RateLimitExceededException(decision);
			if (future) {
				return CompletableFuture.failedFuture(refusal);
			}
			throw refusal;
		}
		return (limited.holding()) ? holding(invocation, decision) : invocation.proceed();
	}

	private Decision await(LimitedMethod limited, MethodInvocation invocation) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException(invocation.getMethod() + " is limited and must wait for its decision,"
					+ " but was called on " + Thread.currentThread().getName()
					+ ", which must not wait: let it return a Mono, or call it on Schedulers.boundedElastic()");
		}
		MethodGate current = this.gate.get();
		return current.decide(limited, current.user().find()).join();
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

	// Each subscription is a call of its own, so each begins with a fresh invocation.
	private Mono<Publisher<?>> call(ProxyMethodInvocation invocation, LimitedMethod limited,
			LimitedMethod.Later later) {
		MethodGate current = this.gate.get();
		ProxyMethodInvocation fresh = (ProxyMethodInvocation) invocation.invocableClone();
		return current.user()
			.findLater()
			.flatMap((user) -> decided(current.decide(limited, user)))
			.flatMap(RateLimitInterceptor::admitted)
			.map((decision) -> result(fresh.invocableClone(), limited, later, decision));
	}

	private static Mono<Decision> decided(CompletableFuture<Decision> decision) {
		if (decision.isDone()) {
			return Mono.just(decision.join());
		}
		// The store's threads must not be held up by what comes after the decision.
		return Mono.fromFuture(decision, true).doOnCancel(() -> abandon(decision)).publishOn(Schedulers.parallel());
	}

	// Who has cancelled never makes the call, so nobody else frees what it holds.
	private static void abandon(CompletableFuture<Decision> decision) {
		if (!decision.isDone()) {
			decision.thenAccept((late) -> late.reservation().release());
		}
	}

	private static Mono<Decision> admitted(Decision decision) {
		if (!decision.allowed()) {
			return Mono.error(() -> new RateLimitExceededException(decision));
		}
		long delayMillis = decision.delayMillis();
		return (delayMillis > 0) ? Mono.delay(Duration.ofMillis(delayMillis)).thenReturn(decision)
				: Mono.just(decision);
	}

	private static Publisher<?> result(MethodInvocation invocation, LimitedMethod limited, LimitedMethod.Later later,
			Decision decision) {
		Runnable end = (limited.holding()) ? () -> decision.reservation().release() : () -> {
		};
		// A single value must reach its end, not be cancelled once it is there.
		return (later.several()) ? Flux.defer(() -> proceed(invocation, later)).doFinally((signal) -> end.run())
				: Mono.defer(() -> Mono.fromDirect(proceed(invocation, later))).doFinally((signal) -> end.run());
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
	 * A method of an object of a class.
	 *
	 * @param type the object's class
	 * @param method the method that is called
	 */
	private record Call(Class<?> type, Method method) {

		List<BeanMethod> candidates() {
			return BeanMethods.types(this.type).map((user) -> BeanMethod.reached(user, this.method)).toList();
		}

	}

}
