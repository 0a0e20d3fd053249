package dev.ratelimit.method;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleMode;
import dev.ratelimit.annotation.AnnotatedMethod;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.GateWatch;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.security.CurrentUser;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Internal: where calls of beans' methods are decided, all rules of a method at once.
 * Before the rules are in force, while the application starts, calls pass. Thread-safe.
 */
public final class MethodGate {

	private final RateLimitEngine engine;

	private final RuleStage<MethodCall> stage;

	private final CurrentUser user;

	private final ConfigurableListableBeanFactory beans;

	/** Null until the methods are known. */
	private volatile @Nullable EditionPart<Snapshot> part;

	/**
	 * A gate without rules yet.
	 * @param engine the engine
	 * @param user who is calling
	 * @param beans the beans
	 */
	public MethodGate(RateLimitEngine engine, CurrentUser user, ConfigurableListableBeanFactory beans) {
		this.engine = engine;
		this.stage = new RuleStage<>(engine, new CallReader<>() {
		}, PartitionKeys.NONE, GateWatch.NONE);
		this.user = user;
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
		this.part = this.engine.editions().addPart(Snapshot.NONE, (next, before) -> snapshot(next, methods, byMethod));
	}

	private static Snapshot snapshot(Edition edition, Collection<BeanMethod> methods,
			Map<? extends AnnotatedMethod, List<String>> byMethod) {
		Map<BeanMethod, LimitedMethod> limited = new HashMap<>();
		for (BeanMethod method : methods) {
			List<String> ids = byMethod.get(method);
			limited.put(method, LimitedMethod.of(method.method(), rules(edition, (ids != null) ? ids : List.of())));
		}
		return new Snapshot(true, Map.copyOf(limited));
	}

	private static List<MethodRule> rules(Edition edition, List<String> ids) {
		return ids.stream()
			.map(edition::rule)
			.flatMap(Optional::stream)
			.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
			.map(MethodRule::of)
			.toList();
	}

	CurrentUser user() {
		return this.user;
	}

	/**
	 * The rules of a method.
	 * @param candidates the method, of each class whose annotations may hold for it
	 * @return the method with its rules; empty while no rules are in force
	 */
	Optional<LimitedMethod> find(List<BeanMethod> candidates) {
		EditionPart<Snapshot> bound = this.part;
		Snapshot current = (bound != null) ? this.engine.editions().current().get(bound) : Snapshot.NONE;
		if (!current.ready) {
			return Optional.empty();
		}
		for (BeanMethod candidate : candidates) {
			LimitedMethod limited = current.methods.get(candidate);
			if (limited != null) {
				return Optional.of(limited);
			}
		}
		throw new IllegalStateException("@RateLimited on " + candidates.get(0)
				+ " was not found at startup, because no bean was known to be of its class:"
				+ " declare the class as the return type of its @Bean method, or as the factory bean's object type");
	}

	CompletableFuture<Decision> decide(LimitedMethod method, Optional<String> caller) {
		return this.stage.enter(method.rules(), new MethodCall(caller), RequestProgress.START)
			.thenApply(RequestProgress::decision);
	}

	private record Snapshot(boolean ready, Map<BeanMethod, LimitedMethod> methods) {

		static final Snapshot NONE = new Snapshot(false, Map.of());

	}

}
