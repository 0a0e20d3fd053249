package dev.ratelimit.method;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.rule.AnnotatedMethod;

/**
 * The rules of one edition, by the methods that they limit. Immutable.
 *
 * @param ready whether there are rules; calls pass before
 * @param methods the limited methods
 */
record MethodRules(boolean ready, Map<BeanMethod, LimitedMethod> methods) {

	static final MethodRules NONE = new MethodRules(false, Map.of());

	static MethodRules of(Edition edition, Collection<BeanMethod> methods,
			Map<? extends AnnotatedMethod, List<String>> byMethod) {
		Map<BeanMethod, LimitedMethod> limited = new HashMap<>();
		for (BeanMethod method : methods) {
			List<String> ids = byMethod.get(method);
			limited.put(method, LimitedMethod.of(method, rules(edition, (ids != null) ? ids : List.of())));
		}
		return new MethodRules(true, Map.copyOf(limited));
	}

	private static List<MethodRule> rules(Edition edition, List<String> ids) {
		return ids.stream()
			.map(edition::rule)
			.flatMap(Optional::stream)
			.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
			.map(MethodRule::of)
			.toList();
	}

	/**
	 * The rules of a method.
	 * @param candidates the method, of each class whose annotations may hold for it
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
	 * The rules of a method that another edition limits.
	 * @param method the method
	 * @return its rules in this edition
	 */
	List<MethodRule> rules(LimitedMethod method) {
		LimitedMethod limited = this.methods.get(method.bean());
		return (limited != null) ? limited.rules() : List.of();
	}

}
