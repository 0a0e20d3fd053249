package dev.ratelimit.method;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.base.CurrentUser;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CallOrigin;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Internal: where calls of beans' methods are decided, all rules of a method at once.
 * Before the rules are active, while the application starts, calls pass. Thread-safe.
 */
public final class MethodGate {

	private final RateLimitEngine engine;

	private final RuleStage<MethodCall> stage;

	private final MethodCandidates candidates;

	private final MethodThreads threads;

	private final CurrentUser user;

	private final CallOrigin origin;

	private final ConfigurableListableBeanFactory beans;

	/** Null until the methods are known. */
	private volatile @Nullable EditionPart<MethodRules> part;

	/**
	 * A gate without rules yet.
	 * @param engine the engine
	 * @param user who is calling
	 * @param origin finds the requests within which methods are called
	 * @param beans the beans
	 * @param observer observes the calls
	 * @param maxWaiting how many threads may wait for calls at a time
	 */
	public MethodGate(RateLimitEngine engine, CurrentUser user, CallOrigin origin,
			ConfigurableListableBeanFactory beans, PassageObserver observer, int maxWaiting) {
		this.engine = engine;
		this.stage = new RuleStage<>(engine, new WaitingCalls(), PartitionKeys.NONE, observer);
		this.threads = new MethodThreads(maxWaiting);
		this.candidates = new MethodCandidates(engine);
		this.user = user;
		this.origin = origin;
		this.beans = beans;
	}

	/**
	 * Find the limited methods of all beans, without making any.
	 * @return the methods; handler methods may be among them
	 */
	public Set<BeanMethod> methods() {
		return BeanMethods.find(this.beans);
	}

	/**
	 * Require that a rule can hold for a method.
	 * @param method the method
	 * @param rule a rule that it names
	 */
	public void check(BeanMethod method, Rule rule) {
		new MethodRequirements(method, rule, this.user).check();
	}

	/**
	 * Apply the rules of all editions to come, and of the active one.
	 * @param methods all limited methods
	 * @param byMethod the ids of rules by method
	 */
	public void bind(Collection<BeanMethod> methods, Map<? extends AnnotatedMethod, List<String>> byMethod) {
		this.part = this.engine.editions()
			.addPart(MethodRules.NONE, (next, before) -> MethodRules.of(next, methods, byMethod));
	}

	CurrentUser user() {
		return this.user;
	}

	/**
	 * The rules of a method.
	 * @param candidates the method, of each class whose annotations may hold for it
	 * @return the method with its rules; empty while no rules are active
	 */
	Optional<LimitedMethod> find(List<BeanMethod> candidates) {
		EditionPart<MethodRules> bound = this.part;
		return (bound != null) ? bound.in(this.engine.editions().current()).find(candidates) : Optional.empty();
	}

	/**
	 * Evaluate the rules of a method.
	 * @param method the method
	 * @param caller the user's name, if there is one
	 * @param subscription the context of the subscription
	 * @return how far the call has come; it may have to wait
	 */
	CompletableFuture<RequestProgress> enter(LimitedMethod method, Optional<String> caller, ContextView subscription) {
		return enter(method, new MethodCall(caller, Optional.empty(), this.origin, subscription));
	}

	private CompletableFuture<RequestProgress> enter(LimitedMethod method, MethodCall call) {
		Consumer<Decision> comparison = this.candidates.begin(method, call, this.part);
		CompletableFuture<RequestProgress> entered = this.stage.enter(method.rules(), call, RequestProgress.START);
		if (comparison != null) {
			entered.thenCompose(RequestProgress::turn).thenAccept((reached) -> comparison.accept(reached.decision()));
		}
		return entered;
	}

	/**
	 * Evaluate the rules of a method, and wait on the calling thread.
	 * @param method the method
	 * @param caller the user's name, if there is one
	 * @return the decision
	 */
	Decision await(LimitedMethod method, Optional<String> caller) {
		MethodCall call = new MethodCall(caller, this.threads.places().places(), this.origin, Context.empty());
		return this.threads.await(enter(method, call).join(), method);
	}

	private static final class WaitingCalls implements CallReader<MethodCall> {

		@Override
		public boolean waits() {
			return true;
		}

	}

}
