package dev.ratelimit.method;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.CurrentUser;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CallOrigin;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.gate.WaitingThreads;
import dev.ratelimit.rule.Access;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Internal: the gate for calls of methods of beans, which evaluates all rules of a method
 * at once. Before the rules are active, while the application starts, calls are allowed.
 * Thread-safe.
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
	 * Create a gate without rules.
	 * @param engine the engine
	 * @param user finds the user of the call
	 * @param origin finds the requests that call methods
	 * @param beans the beans
	 * @param observer observes the calls
	 * @param maxWaiting the maximum number of threads that wait for calls at a time
	 */
	public MethodGate(RateLimitEngine engine, CurrentUser user, CallOrigin origin,
			ConfigurableListableBeanFactory beans, PassageObserver observer, int maxWaiting) {
		this.engine = engine;
		this.stage = new RuleStage<>(engine, new WaitingCalls(), PartitionKeys.NONE, PassageObserver.METHOD, observer);
		this.threads = new MethodThreads(maxWaiting);
		this.candidates = new MethodCandidates(engine);
		this.user = user;
		this.origin = origin;
		this.beans = beans;
	}

	/**
	 * Find the limited methods of all beans, without creating beans.
	 * @return the methods, which may include handler methods
	 */
	public Set<BeanMethod> methods() {
		return BeanMethods.find(this.beans);
	}

	/**
	 * Require that a rule can apply to a method.
	 * @param method the method
	 * @param rule a rule that the method references
	 */
	public void check(BeanMethod method, Rule rule) {
		new MethodRequirements(method, rule, this.user).check();
	}

	/**
	 * Apply the rules of the active edition and of later editions.
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
	 * Return the rules of a method.
	 * @param candidates the method in each class whose annotations may apply to it
	 * @return the method with its rules; empty while no rules are active
	 */
	Optional<LimitedMethod> find(List<BeanMethod> candidates) {
		EditionPart<MethodRules> bound = this.part;
		return (bound != null) ? bound.in(this.engine.editions().current()).find(candidates) : Optional.empty();
	}

	/**
	 * Evaluate the rules of a method.
	 * @param method the method
	 * @param caller the name of the user; empty if there is none
	 * @param arguments the arguments of the call
	 * @param subscription the context of the subscription
	 * @return the progress of the call, which may wait
	 */
	CompletableFuture<RequestProgress> enter(LimitedMethod method, Optional<String> caller,
			@Nullable Object[] arguments, ContextView subscription) {
		return enter(method, new MethodCall(caller, arguments, Optional.empty(), this.origin, subscription));
	}

	private CompletableFuture<RequestProgress> enter(LimitedMethod method, MethodCall call) {
		Consumer<Decision> comparison = this.candidates.begin(method, call, this.part);
		CompletableFuture<RequestProgress> entered = this.stage.enter(method.rules(), call, RequestProgress.START);
		if (comparison != null) {
			entered.thenCompose(RequestProgress::afterWait)
				.thenAccept((progress) -> comparison.accept(progress.decision()));
		}
		return entered;
	}

	/**
	 * Evaluate the rules of a method, and wait on the calling thread.
	 * @param method the method
	 * @param caller the name of the user; empty if there is none
	 * @param arguments the arguments of the call
	 * @return the decision
	 */
	Decision await(LimitedMethod method, Optional<String> caller, @Nullable Object[] arguments) {
		MethodCall call = new MethodCall(caller, arguments, this.threads.places().places(), this.origin,
				Context.empty());
		return this.threads.await(enter(method, call).join(), method);
	}

	private static final class WaitingCalls implements CallReader<MethodCall> {

		@Override
		public boolean waits() {
			return true;
		}

	}

	/**
	 * The requirements for rules of methods, because calls have neither a request nor a
	 * response.
	 *
	 * @param method the method
	 * @param rule the rule
	 * @param user finds the user of the call
	 */
	private record MethodRequirements(BeanMethod method, Rule rule, CurrentUser user) {

		void check() {
			this.rule.key().parts().forEach(this::checkKey);
			boolean always = this.rule.key().parts().stream().allMatch((part) -> part.kind() == KeyPart.Kind.GLOBAL);
			require(always || !this.rule.key().writes(MissingKeyPolicy.IP), "on-missing-key: ip",
					"method calls have no client address", "Set it to 'shared', 'skip', or 'deny'.");
			require(this.rule.numbers().cost().kind() == Cost.Kind.FIXED, "cost: " + this.rule.numbers().cost().kind(),
					"method calls have no request to resolve the cost from",
					"Set a number, or inject and call RateLimiter.");
			require(this.rule.numbers().plans().isEmpty(), "plans: " + this.rule.numbers().plans().keySet(),
					"method calls have no request to resolve the plan from", "Use a rule without plans.");
			require(this.rule.access().equals(Access.EQUAL), "allow, deny, or bypass-authorities",
					"method calls have no client address, and are limited for all users",
					"Use a rule without these lists.");
			require(!this.rule.numbers().reserves(), "reserve: " + this.rule.numbers().reserve(),
					"method calls have no level", "Use a rule without 'reserve'.");
			require(this.rule.reaction().refund().equals(Refund.NEVER), "refund",
					"method calls have no response status", "Use a rule without 'refund' and 'count-only'.");
			require(this.rule.reaction().excess().tarpit().isEmpty(), "on-excess: tarpit",
					"method calls have no response to delay", "Use a rule without 'on-excess: tarpit'.");
			if (!LimitedMethod.isDeferred(this.method.method()) && this.rule.reaction().waiting().isEmpty()) {
				this.rule.limits().forEach(this::checkThreads);
				this.rule.numbers().overrides().values().forEach((set) -> set.limits().forEach(this::checkThreads));
			}
		}

		private void checkKey(KeyPart part) {
			switch (part.kind()) {
				case GLOBAL, CALLER -> {
				}
				case USER -> require(this.user.isKnown(), part.toString(), "Spring Security is not on the classpath",
						"Add 'spring-boot-starter-security', or set 'key: global'.");
				case ARG -> checkArgument(part);
				default -> require(false, part.toString(), "method calls have no request to resolve the key from",
						"Set 'key' to 'global', 'user', 'caller', or 'arg:' and a parameter, or inject and call RateLimiter.");
			}
		}

		// Other types are rejected, because the text form of an object may differ for
		// each call.
		private void checkArgument(KeyPart part) {
			OptionalInt parameter = this.method.parameter(part.argument());
			Class<?>[] types = this.method.method().getParameterTypes();
			require(parameter.isPresent(), part.toString(), "the method has no parameter '" + part.argument() + "'",
					"Use the name of a parameter, and compile with '-parameters', as Spring Boot's plugins do.");
			Class<?> type = types[parameter.getAsInt()];
			require(BeanUtils.isSimpleValueType(type), part.toString(),
					"the parameter is of the type " + type.getSimpleName(),
					"Use a parameter of a simple type, such as String, long, or UUID.");
		}

		private void checkThreads(Limit limit) {
			require(!Algorithms.of(limit).holdsRequests(), limit.algorithm(), "it would block the calling threads",
					"Return a Mono or a Flux, set 'wait', or use another algorithm.");
		}

		private void require(boolean condition, String value, String reason, String action) {
			if (!condition) {
				throw new InvalidRuleException("@RateLimited on " + this.method + " (rule '" + this.rule.id() + "')",
						value, reason, action);
			}
		}

	}

	/**
	 * Finds the rules of a candidate for calls of methods. Thread-safe.
	 */
	private static final class MethodCandidates {

		private final CandidateStage<MethodCall> stage = new CandidateStage<>(new CallReader<>() {
		});

		private final RateLimitEngine engine;

		MethodCandidates(RateLimitEngine engine) {
			this.engine = engine;
		}

		/**
		 * Find the charges of the candidate, before the active rules are evaluated.
		 * @param method the method
		 * @param call the call
		 * @param part finds the rules of methods in an edition
		 * @return a consumer that compares the decision; null if there is no candidate
		 */
		@Nullable Consumer<Decision> begin(LimitedMethod method, MethodCall call, @Nullable EditionPart<MethodRules> part) {
			CandidateTrial trial = this.engine.trial(this.engine.editions().current());
			if (trial == null) {
				return null;
			}
			List<MethodRule> rules = (part != null) ? part.in(trial.edition()).rules(method) : List.of();
			return this.stage.begin(trial, rules, call, 0, (id) -> true);
		}

	}

	/**
	 * The threads that wait for calls of limited methods: in a queue, or for the delay of
	 * a leaky bucket. Thread-safe.
	 *
	 * @param places the places
	 */
	private record MethodThreads(WaitingThreads places) {

		MethodThreads(int places) {
			this(new WaitingThreads(places));
		}

		/**
		 * Wait for a call.
		 * @param entered the progress of the call
		 * @param method its method
		 * @return the decision
		 */
		Decision await(RequestProgress entered, LimitedMethod method) {
			if (!entered.waits() && entered.delay().leftNanos() == 0) {
				return entered.decision();
			}
			try {
				RequestProgress progress = (entered.waits()) ? this.places.await(entered) : entered;
				return (progress.allowed() && progress.delay().leftNanos() > 0) ? delay(progress, method)
						: progress.decision();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while a call waited for its turn", ex);
			}
		}

		private Decision delay(RequestProgress progress, LimitedMethod method) throws InterruptedException {
			try {
				Decision decision = method.decided(progress);
				if (!decision.allowed() || this.places.delay(progress)) {
					return decision;
				}
				progress.cancel();
				return progress.rejectedDelay();
			}
			catch (InterruptedException ex) {
				progress.cancel();
				throw ex;
			}
		}

	}

	/**
	 * The rules of one edition by limited method. Immutable.
	 *
	 * @param ready whether rules are active; calls are allowed before
	 * @param methods the limited methods
	 */
	private record MethodRules(boolean ready, Map<BeanMethod, LimitedMethod> methods) {

		static final MethodRules NONE = new MethodRules(false, Map.of());

		static MethodRules of(Edition edition, Collection<BeanMethod> methods,
				Map<? extends AnnotatedMethod, List<String>> byMethod) {
			Map<BeanMethod, LimitedMethod> limited = new HashMap<>();
			for (BeanMethod method : methods) {
				List<String> ids = byMethod.get(method);
				limited.put(method, LimitedMethod.of(method, rules(edition, method, (ids != null) ? ids : List.of())));
			}
			return new MethodRules(true, Map.copyOf(limited));
		}

		private static List<MethodRule> rules(Edition edition, BeanMethod method, List<String> ids) {
			return ids.stream()
				.map(edition::rule)
				.flatMap(Optional::stream)
				.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
				.map((rule) -> MethodRule.of(method, rule))
				.toList();
		}

		/**
		 * Return the rules of a method.
		 * @param candidates the method in each class whose annotations may apply to it
		 * @return the method with its rules; empty while no rules are active
		 */
		Optional<LimitedMethod> find(List<BeanMethod> candidates) {
			if (!this.ready) {
				return Optional.empty();
			}
			for (BeanMethod candidate : candidates) {
				LimitedMethod limited = this.methods.get(candidate);
				if (limited != null) {
					return Optional.of(limited);
				}
			}
			throw new IllegalStateException("@RateLimited on " + candidates.get(0)
					+ " was not found at startup, because no bean was known to be of its class:"
					+ " declare the class as the return type of its @Bean method, or as the factory bean's object type");
		}

		/**
		 * Return the rules of a method that is limited in another edition.
		 * @param method the method
		 * @return its rules in this edition
		 */
		List<MethodRule> rules(LimitedMethod method) {
			LimitedMethod limited = this.methods.get(method.bean());
			return (limited != null) ? limited.rules() : List.of();
		}

	}

}
