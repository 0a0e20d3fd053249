package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.ratelimit.Decision;
import dev.ratelimit.gate.RequestProgress;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * A method with its rules, and the form of its result. Immutable.
 *
 * @param bean the method of the class of its bean
 * @param rules its rules; none of them is disabled
 * @param returned the form of its result
 * @param holding whether a slot is held during a call
 */
record LimitedMethod(BeanMethod bean, List<MethodRule> rules, Returned returned, boolean holding) {

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	static LimitedMethod of(BeanMethod bean, List<MethodRule> rules) {
		return new LimitedMethod(bean, List.copyOf(rules), returned(bean.method()),
				rules.stream().anyMatch(MethodRule::concurrent));
	}

	/**
	 * Return the decision on a call, which is rejected and refunded if a leaky bucket
	 * would hold it for longer than the shortest maximum wait of its rules.
	 * @param progress the progress of the call
	 * @return the decision
	 */
	Decision decided(RequestProgress progress) {
		long delayNanos = progress.delay().leftNanos();
		if (!progress.allowed() || delayNanos == 0 || this.rules.stream().allMatch((rule) -> rule.holds(delayNanos))) {
			return progress.decision();
		}
		progress.cancel();
		return progress.rejectedDelay();
	}

	/**
	 * Return whether the work begins with a subscription, so that the call does not wait
	 * for the decision.
	 * @param method the method
	 * @return whether it returns a publisher or suspends
	 */
	static boolean isDeferred(Method method) {
		return returned(method).deferred();
	}

	/**
	 * Return the form of the result of a method.
	 * @param method the method
	 * @return the form
	 */
	static Returned returned(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			boolean several = new MethodParameter(method, -1).getParameterType().getName().equals(FLOW);
			return new Later(several, LimitedMethod::publisher, (publisher) -> publisher);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
		if (adapter != null && adapter.getDescriptor().isDeferred()) {
			return new Later(adapter.isMultiValue(), adapter::toPublisher, adapter::fromPublisher);
		}
		return (method.getReturnType().isAssignableFrom(CompletableFuture.class)
				&& method.getReturnType() != Object.class) ? Returned.FUTURE : Returned.VALUE;
	}

	// Spring converts the result of a suspending function that a proxy calls to a
	// publisher or a value.
	private static Publisher<?> publisher(@Nullable Object value) {
		return (value instanceof Publisher<?> publisher) ? publisher : Mono.justOrEmpty(value);
	}

	/**
	 * The form of the result of a method.
	 */
	sealed interface Returned permits Later, Now {

		/** A value, or an exception. */
		Returned VALUE = new Now(false);

		/** A future. */
		Returned FUTURE = new Now(true);

		/**
		 * Return whether the work begins with the subscription.
		 * @return whether a call does not wait for the decision
		 */
		boolean deferred();

	}

	/**
	 * A result of work that has ended or begun when the method returns.
	 *
	 * @param future whether it returns a future
	 */
	record Now(boolean future) implements Returned {

		@Override
		public boolean deferred() {
			return false;
		}

	}

	/**
	 * A result whose subscription begins the work.
	 *
	 * @param several whether it emits more than one value
	 * @param in converts the result of the method to a publisher
	 * @param out converts a publisher to a result of the method
	 */
	record Later(boolean several, Function<@Nullable Object, Publisher<?>> in,
			Function<Publisher<?>, Object> out) implements Returned {

		@Override
		public boolean deferred() {
			return true;
		}

		Object wrap(Mono<Publisher<?>> call) {
			return this.out.apply((this.several) ? call.flatMapMany(Flux::from) : call.flatMap(Mono::fromDirect));
		}

	}

}
