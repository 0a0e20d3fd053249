package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.Criticality;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.RateLimited;

/**
 * Internal: the rules that annotations on methods and their classes write or name, and
 * what methods are exempt from.
 */
public final class AnnotatedRules {

	private final Map<String, WrittenRule> definitions = new LinkedHashMap<>();

	private final Map<String, Class<?>> owners = new HashMap<>();

	private final Map<AnnotatedMethod, List<String>> byMethod = new LinkedHashMap<>();

	private final Map<AnnotatedMethod, Exemption> exemptions = new LinkedHashMap<>();

	private final Map<AnnotatedMethod, Level> levels = new LinkedHashMap<>();

	/**
	 * Read the annotations of methods.
	 * @param methods the methods
	 * @return the rules
	 * @throws InvalidRuleException if annotations contradict each other
	 */
	public static AnnotatedRules of(Collection<? extends AnnotatedMethod> methods) {
		AnnotatedRules rules = new AnnotatedRules();
		methods.stream().distinct().forEach(rules::read);
		return rules;
	}

	/**
	 * Whether a method itself is limited.
	 * @param method the method
	 * @return whether there is an annotation on it, or on a method that it overrides or
	 * implements
	 */
	public static boolean limitMethod(AnnotatedMethod method) {
		return NearestAnnotations.ofMethod(method, RateLimited.class).isPresent();
	}

	/**
	 * Whether the class of a method is limited.
	 * @param method the method
	 * @return whether there is an annotation on the class or a super type
	 */
	public static boolean limitClass(AnnotatedMethod method) {
		return NearestAnnotations.ofClass(method, RateLimited.class).isPresent();
	}

	/**
	 * The definitions that annotations write.
	 * @return by id
	 */
	public Map<String, WrittenRule> definitions() {
		return this.definitions;
	}

	/**
	 * The ids of the rules of each method, written there or elsewhere.
	 * @return by method; methods without rules are left out
	 */
	public Map<AnnotatedMethod, List<String>> byMethod() {
		return this.byMethod;
	}

	/**
	 * What methods are exempt from.
	 * @return by method; methods that are not exempt from anything are left out
	 */
	public Map<AnnotatedMethod, Exemption> exemptions() {
		return this.exemptions;
	}

	/**
	 * Whether annotations say anything of a method.
	 * @param method the method
	 * @return whether it has rules, an exemption, or a level
	 */
	public boolean concern(AnnotatedMethod method) {
		return this.byMethod.containsKey(method) || this.exemptions.containsKey(method)
				|| this.levels.containsKey(method);
	}

	/**
	 * How important the requests of methods are.
	 * @return by method; methods that do not say are left out
	 */
	public Map<AnnotatedMethod, Level> levels() {
		return this.levels;
	}

	private void read(AnnotatedMethod method) {
		NearestAnnotations.find(method, Criticality.class)
			.ifPresent((found) -> this.levels.put(method, found.annotations().get(0).value()));
		Optional<NearestAnnotations<RateLimited>> limits = NearestAnnotations.find(method, RateLimited.class);
		Optional<NearestAnnotations<RateLimited.Exempt>> exempt = NearestAnnotations.find(method,
				RateLimited.Exempt.class);
		Set<String> ids = new LinkedHashSet<>();
		limits.ifPresent((found) -> ids.addAll(bind(method, found)));
		if (exempt.isPresent()) {
			Exemption exemption = Exemption.from(new HashSet<>(List.of(exempt.get().annotations().get(0).value())));
			limits.filter(exempt.get()::isBeside).ifPresent((beside) -> requireNoContradiction(method, ids, exemption));
			if (exemption.all() && limits.filter((found) -> found.isNearerThan(exempt.get())).isPresent()) {
				this.byMethod.put(method, List.copyOf(ids));
				return;
			}
			this.exemptions.put(method, exemption);
			ids.removeIf(exemption::covers);
		}
		if (!ids.isEmpty()) {
			this.byMethod.put(method, List.copyOf(ids));
		}
	}

	private Set<String> bind(AnnotatedMethod method, NearestAnnotations<RateLimited> found) {
		String defaultId = (found.shared()) ? RuleNames.of(method.type()) : RuleNames.of(method);
		Set<String> ids = new LinkedHashSet<>();
		int unnamed = 0;
		for (RateLimited annotation : found.annotations()) {
			boolean named = !annotation.id().isEmpty() || !annotation.rule().isEmpty();
			unnamed += (named) ? 0 : 1;
			ids.add(bind(method, annotation, found.shared(), RuleNames.numbered(defaultId, unnamed)));
		}
		return ids;
	}

	private String bind(AnnotatedMethod method, RateLimited annotation, boolean shared, String defaultId) {
		String location = "@RateLimited on " + method;
		if (!annotation.rule().isEmpty()) {
			if (AttributeReader.writes(location, annotation)) {
				throw new InvalidRuleException(location, annotation.rule(),
						"'rule' cannot be combined with other attributes",
						"Remove 'rule', or remove the other attributes.");
			}
			return annotation.rule();
		}
		String id = (annotation.id().isEmpty()) ? defaultId : annotation.id();
		WrittenRule written = new WrittenRule(location, AttributeReader.definition(location, annotation));
		Class<?> owner = this.owners.computeIfAbsent(id, (key) -> method.type());
		WrittenRule present = this.definitions.putIfAbsent(id, written);
		boolean clash = present != null && !present.definition().equals(written.definition());
		// All methods of a class share the rule that its annotation writes.
		boolean sharer = shared && method.type().equals(owner);
		if (clash || (present != null && annotation.id().isEmpty() && !sharer)) {
			throw new InvalidRuleException(location, id, "another rule has this id, declared by " + present.location(),
					"Set a different 'id' on one of them.");
		}
		return id;
	}

	private static void requireNoContradiction(AnnotatedMethod method, Set<String> ids, Exemption exemption) {
		List<String> both = new ArrayList<>(ids);
		both.removeIf((id) -> !exemption.covers(id));
		if (!both.isEmpty()) {
			throw new InvalidRuleException("@RateLimited.Exempt on " + method, both.toString(),
					"@RateLimited on the same element applies rules that it is exempt from",
					"Remove one of the annotations, or set the ids of other rules in @RateLimited.Exempt.");
		}
	}

}
