package dev.ratelimit.rule;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import dev.ratelimit.Criticality;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Internal: the rules that annotations on methods and their classes define or reference,
 * and the exemptions of methods.
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
	 * Return whether a method itself is limited.
	 * @param method the method
	 * @return whether there is an annotation on it, or on a method that it overrides or
	 * implements
	 */
	public static boolean limitMethod(AnnotatedMethod method) {
		return NearestAnnotations.ofMethod(method, RateLimited.class).isPresent();
	}

	/**
	 * Return whether the class of a method is limited.
	 * @param method the method
	 * @return whether there is an annotation on the class or a super type
	 */
	public static boolean limitClass(AnnotatedMethod method) {
		return NearestAnnotations.ofClass(method, RateLimited.class).isPresent();
	}

	/**
	 * Return the definitions in annotations.
	 * @return the definitions by rule id
	 */
	public Map<String, WrittenRule> definitions() {
		return this.definitions;
	}

	/**
	 * Return the ids of the rules of each method, including rules that are defined
	 * elsewhere.
	 * @return the ids by method; methods without rules are omitted
	 */
	public Map<AnnotatedMethod, List<String>> byMethod() {
		return this.byMethod;
	}

	/**
	 * Return the exemptions of methods.
	 * @return the exemptions by method; methods without an exemption are omitted
	 */
	public Map<AnnotatedMethod, Exemption> exemptions() {
		return this.exemptions;
	}

	/**
	 * Return whether annotations concern a method.
	 * @param method the method
	 * @return whether it has rules, an exemption, or a level
	 */
	public boolean concern(AnnotatedMethod method) {
		return this.byMethod.containsKey(method) || this.exemptions.containsKey(method)
				|| this.levels.containsKey(method);
	}

	/**
	 * Return the levels of the requests of methods.
	 * @return the levels by method; methods without a level are omitted
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
		// All methods of a class share the rule of its annotation.
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

	/**
	 * Turns the attributes of an annotation into the definition of a rule.
	 */
	private static final class AttributeReader {

		private static final RuleDefinition UNSET = new RuleDefinition(Rule.Match.NONE, List.of(),
				LimitSetDefinition.EMPTY, Map.of(), RuleOptions.EMPTY);

		/** The attributes that are options. */
		private static final Map<RuleOptions.Option<?>, Method> OPTIONS = options();

		private AttributeReader() {
		}

		/**
		 * Return whether an annotation defines a rule, besides referencing one.
		 * @param location the location of the annotation, for messages
		 * @param annotation the annotation
		 * @return whether it has an id or any other attribute of a rule
		 */
		static boolean writes(String location, RateLimited annotation) {
			return !annotation.id().isEmpty() || !definition(location, annotation).equals(UNSET);
		}

		static RuleDefinition definition(String location, RateLimited annotation) {
			return new RuleDefinition(Rule.Match.NONE, List.of(annotation.key()), limits(location, annotation),
					Map.of(), options(location, annotation));
		}

		private static LimitSetDefinition limits(String location, RateLimited annotation) {
			String[] texts = annotation.value();
			OptionalLong burst = (annotation.burst() == 0) ? OptionalLong.empty() : OptionalLong.of(annotation.burst());
			Optional<String> algorithm = Optional.of(annotation.algorithm()).filter((id) -> !id.isEmpty());
			if (texts.length == 1) {
				return LimitSetDefinition.of(location, texts[0], burst, algorithm, LimitOptions.NONE);
			}
			return new LimitSetDefinition(Arrays.stream(texts).map(LimitDefinition::of).toList(), burst, algorithm);
		}

		private static Map<RuleOptions.Option<?>, Method> options() {
			Map<RuleOptions.Option<?>, Method> options = new LinkedHashMap<>();
			RuleOptions.table().values().forEach((option) -> {
				Method attribute = ReflectionUtils.findMethod(RateLimited.class, option.attribute());
				if (attribute != null) {
					options.put(option, attribute);
				}
			});
			return options;
		}

		// An attribute with its default value counts as not set.
		private static RuleOptions options(String location, RateLimited annotation) {
			Map<RuleOptions.Option<?>, Object> written = new HashMap<>();
			OPTIONS.forEach((option, attribute) -> {
				Object value = only(location, attribute, ReflectionUtils.invokeMethod(attribute, annotation));
				if (!Objects.deepEquals(value, attribute.getDefaultValue())) {
					written.put(option, read(location, option, attribute, value));
				}
			});
			return new RuleOptions(written);
		}

		private static Object read(String location, RuleOptions.Option<?> option, Method attribute, Object value) {
			try {
				return option.read(value);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRuleException(location, value.toString(), String.valueOf(ex.getMessage()),
						"Correct '" + attribute.getName() + "'.");
			}
		}

		private static Object only(String location, Method attribute, @Nullable Object value) {
			if (value instanceof Object[] values && values.length > 0) {
				if (values.length > 1) {
					throw new InvalidRuleException(location, Arrays.toString(values),
							"'" + attribute.getName() + "' accepts at most one value", "Keep one of them.");
				}
				return values[0];
			}
			return Objects.requireNonNull(value);
		}

	}

	/**
	 * The ids of rules whose annotations have no id.
	 */
	private static final class RuleNames {

		private static final int MAX_ID_LENGTH = 64;

		private RuleNames() {
		}

		/**
		 * Return the id for an annotation on a class.
		 * @param type the class
		 * @return the id, such as {@code hello-controller}
		 */
		static String of(Class<?> type) {
			return kebab(ClassUtils.getUserClass(type).getSimpleName());
		}

		/**
		 * Return the id for an annotation on a method.
		 * @param method the method
		 * @return the id, such as {@code hello-controller-hello}
		 */
		static String of(AnnotatedMethod method) {
			return of(method.type()) + "-" + kebab(method.method().getName());
		}

		/**
		 * Return the id of one of several annotations on an element.
		 * @param id the id of the first
		 * @param number the number of the annotation among those without a name, from 1
		 * @return the id, no longer than the maximum length of ids
		 */
		static String numbered(String id, int number) {
			return bounded((number > 1) ? id + "-" + number : id);
		}

		private static String kebab(String camel) {
			return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
				.replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^a-z0-9]+", "-");
		}

		private static String bounded(String id) {
			return (id.length() <= MAX_ID_LENGTH) ? id
					: id.substring(0, MAX_ID_LENGTH - 9) + "-" + HexFormat.of().toHexDigits(id.hashCode());
		}

	}

}
