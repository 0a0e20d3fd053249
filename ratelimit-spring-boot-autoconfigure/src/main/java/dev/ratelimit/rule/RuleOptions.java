package dev.ratelimit.rule;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.Consistency;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Internal: the options of a rule as written, and the table of all options. An option is
 * a property of a rule other than its requests, its key, and its limits. Each row of the
 * table defines the conversion, the default, and the presentation of the option;
 * properties, annotations, layers, comparisons of rules, the endpoint, and the digest use
 * the table. Immutable.
 *
 * @param values the written values by option
 */
public record RuleOptions(Map<Option<?>, Object> values) {

	private static final Map<String, Option<?>> TABLE = new LinkedHashMap<>();

	/** The options among the components of a type of properties. */
	private static final ClassValue<List<Binding>> BINDINGS = new ClassValue<>() {

		@Override
		protected List<Binding> computeValue(Class<?> type) {
			return Arrays.stream(type.getRecordComponents())
				.flatMap((component) -> TABLE.values().stream().flatMap((option) -> option.binding(component).stream()))
				.toList();
		}

	};

	/** Cost of one request, in text form. */
	public static final Option<String> COST = new Option<String>("cost", (rule) -> (rule.numbers().cost().estimated())
			? rule.numbers().cost().toString() : (Object) rule.numbers().cost().units());

	/** Policy to apply while the store is unavailable. */
	public static final Option<FailurePolicy> FAILURE = new Option<FailurePolicy>("failure",
			(rule) -> rule.reaction().failure())
		.byDefault(FailurePolicy.OPEN);

	/** Whether each decision calls the store. */
	public static final Option<Consistency> CONSISTENCY = new Option<Consistency>("consistency",
			(rule) -> rule.numbers().consistency())
		.byDefault(Consistency.STRICT);

	/** Whether the rule rejects. */
	public static final Option<RuleMode> MODE = new Option<RuleMode>("mode", (rule) -> rule.reaction().mode())
		.byDefault(RuleMode.ENFORCE);

	/** Share of subjects that the rule rejects if its mode is to enforce. */
	public static final Option<Ramp> ENFORCE = new Option<Ramp>("enforce",
			(rule) -> when(!rule.reaction().ramp().isFull(), rule.reaction().ramp()))
		.byDefault(Ramp.FULL)
		.read((name, text) -> Ramp.parse((String) text), "Correct the percentage.");

	/** Treatment of requests that exceed the limits. */
	public static final Option<ExcessPolicy> ON_EXCESS = new Option<ExcessPolicy>("on-excess",
			(rule) -> rule.reaction().excess().policy())
		.byDefault(ExcessPolicy.REJECT);

	/** Delay of rejections. */
	public static final Option<Tarpit> TARPIT = new Option<Tarpit>("tarpit",
			(rule) -> rule.reaction().excess().tarpit());

	/** Holder of a slot. */
	public static final Option<Holder> HOLD = new Option<Holder>("hold",
			(rule) -> when(countsConcurrentRequests(rule), rule.reaction().holding().by()))
		.byDefault(Holder.REQUEST);

	/** Maximum time after which a slot is freed. */
	public static final Option<Duration> MAX_HOLD = new Option<Duration>("max-hold",
			(rule) -> when(countsConcurrentRequests(rule), rule.reaction().holding().maxHold()));

	/** Slots that only requests of some levels can take. */
	public static final Option<Reserve> RESERVE = new Option<Reserve>("reserve",
			(rule) -> when(rule.numbers().reserves(), rule.numbers().reserve()))
		.byDefault(Reserve.NONE)
		.read((name, shares) -> Reserve.parse(texts(shares)),
				"Use 'critical', 'high', or 'normal', with a percentage or a number of slots, such as"
						+ " 'critical: 20%'.");

	/** Conditions for bans and marks of clients. */
	public static final Option<BanTerms> BAN = new Option<BanTerms>("ban",
			(rule) -> rule.reaction().excess().ban().map(BanTerms::text));

	/** Treatment of requests without the key. */
	public static final Option<MissingKeyPolicy> ON_MISSING_KEY = new Option<MissingKeyPolicy>("on-missing-key",
			(rule) -> rule.key()
				.onMissing()
				.orElse((rule.key().requiresPrincipal()) ? MissingKeyPolicy.IP : MissingKeyPolicy.SHARED));

	/** Phase in which the rule is evaluated. */
	public static final Option<Phase> PHASE = new Option<Phase>("phase", (rule) -> rule.reaction().phase())
		.byDefault(Phase.AUTO)
		.unset(Phase.AUTO);

	/** HTTP status of rejections. */
	public static final Option<Integer> STATUS = new Option<Integer>("status", (rule) -> rule.reaction().status());

	/** Whether retries are free. */
	public static final Option<Boolean> IDEMPOTENCY = new Option<Boolean>("idempotency",
			(rule) -> rule.reaction().idempotency())
		.byDefault(false);

	/** Responses that refund the charge. */
	public static final Option<Refund> REFUND = new Option<Refund>("refund",
			(rule) -> when(!rule.reaction().refund().equals(Refund.NEVER), rule.reaction().refund().text()))
		.byDefault(Refund.NEVER)
		.alternative("count-only")
		.read((name, statuses) -> (name.equals("refund")) ? Refund.of((StatusSet) statuses)
				: Refund.ofAllBut((StatusSet) statuses), "Use statuses such as 401 or 5xx.");

	/** Wait of requests that exceed the limits. */
	public static final Option<Waiting> WAIT = new Option<Waiting>("wait", (rule) -> rule.reaction().waiting())
		.component("waiting")
		.attribute("maxWait")
		.read((name, waiting) -> (waiting instanceof String text) ? Waiting.parse(text) : (Waiting) waiting,
				"Set a duration such as 2s.");

	/** Ids of rules that do not apply to requests of the rule. */
	public static final Option<List<String>> REPLACES = new Option<List<String>>("replaces",
			(rule) -> rule.reaction().replaces())
		.byDefault(List.of());

	/** Name under which rules share their buckets. */
	public static final Option<String> BUCKET = new Option<String>("bucket", (rule) -> rule.numbers().bucket());

	/** Whether live rules and switches cannot change the rule. */
	public static final Option<Boolean> LOCKED = new Option<>(Rule.LOCKED, false);

	/** Effect of the limits in several regions. */
	public static final Option<RegionMode> REGIONS = new Option<>(Rule.REGIONS);

	/** The descriptors of Envoy that the rule applies to. */
	public static final Option<Descriptor> DESCRIPTOR = new Option<>(Rule.DESCRIPTOR);

	/** The root fields of GraphQL operations that the rule applies to. */
	public static final Option<GraphQlFields> GRAPHQL = new Option<GraphQlFields>(Rule.GRAPHQL)
		.read((name, fields) -> GraphQlFields.parse(textList(fields)), "Write fields such as 'Query.*'.");

	/** Addresses and networks that the rule does not limit. */
	public static final Option<List<String>> ALLOW = new Option<List<String>>("allow", (rule) -> rule.access().allow())
		.byDefault(List.of());

	/** Addresses and networks whose requests the rule rejects. */
	public static final Option<List<String>> DENY = new Option<List<String>>("deny", (rule) -> rule.access().deny())
		.byDefault(List.of());

	/** Authorities that bypass the rule. */
	public static final Option<List<String>> BYPASS_AUTHORITIES = new Option<List<String>>("bypass-authorities",
			(rule) -> rule.access().bypassAuthorities())
		.byDefault(List.of());

	/** No option is set. */
	public static final RuleOptions EMPTY = new RuleOptions(Map.of());

	public RuleOptions {
		values = Map.copyOf(values);
	}

	/**
	 * Return the table.
	 * @return all options by name, in the order in which they are shown
	 */
	public static Map<String, Option<?>> table() {
		return Collections.unmodifiableMap(TABLE);
	}

	/**
	 * Read the options among bound properties: the components whose names are options.
	 * @param location the property of the rule, for messages
	 * @param properties the bound properties
	 * @return the options that are set
	 * @throws InvalidRuleException if a value is invalid
	 */
	public static RuleOptions of(String location, Record properties) {
		Map<Option<?>, Object> values = new HashMap<>();
		for (Binding binding : BINDINGS.get(properties.getClass())) {
			Object value = ReflectionUtils.invokeMethod(binding.accessor(), properties);
			if (value == null || isEmpty(value) || binding.option().isUnset(value)) {
				continue;
			}
			String property = location + "." + binding.property();
			if (values.put(binding.option(), binding.read(property, value)) != null) {
				throw new InvalidRuleException(property, value.toString(),
						"'" + binding.option() + "' and '" + binding.property() + "' are both set",
						"Keep one of them.");
			}
		}
		return new RuleOptions(values);
	}

	private static boolean isEmpty(Object value) {
		return (value instanceof Collection<?> all && all.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty());
	}

	private static String kebab(String camel) {
		return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> texts(Object shares) {
		return (Map<String, String>) shares;
	}

	@SuppressWarnings("unchecked")
	private static List<String> textList(Object list) {
		return (List<String>) list;
	}

	private static Optional<?> when(boolean condition, Object value) {
		return (condition) ? Optional.of(value) : Optional.empty();
	}

	private static boolean countsConcurrentRequests(Rule rule) {
		return rule.numbers().all().anyMatch(Limit::concurrent);
	}

	/**
	 * Return these options with one more.
	 * @param <T> the type of its value
	 * @param option the option
	 * @param value its value; null or an empty list if it is not set
	 * @return the options
	 */
	public <T> RuleOptions with(Option<T> option, @Nullable T value) {
		if (value == null || isEmpty(value)) {
			return this;
		}
		Map<Option<?>, Object> next = new HashMap<>(this.values);
		next.put(option, value);
		return new RuleOptions(next);
	}

	/**
	 * Return the written value of an option.
	 * @param <T> the type of its value
	 * @param option the option
	 * @return its value; empty if it is not set
	 */
	@SuppressWarnings("unchecked")
	public <T> Optional<T> find(Option<T> option) {
		return Optional.ofNullable((T) this.values.get(option));
	}

	/**
	 * Return the value of an option that has a default.
	 * @param <T> the type of its value
	 * @param option the option
	 * @return the written value, otherwise the default
	 */
	public <T> T get(Option<T> option) {
		return find(option).or(option::byDefault)
			.orElseThrow(() -> new IllegalArgumentException("'" + option + "' has no default"));
	}

	/**
	 * Return these options, completed by other options that are missing here.
	 * @param base the other options
	 * @return the combined options
	 */
	public RuleOptions over(RuleOptions base) {
		Map<Option<?>, Object> both = new HashMap<>(base.values);
		both.putAll(this.values);
		return new RuleOptions(both);
	}

	/**
	 * Return some of these options.
	 * @param which the options to keep
	 * @return the options that are written among them
	 */
	RuleOptions only(Collection<Option<?>> which) {
		Map<Option<?>, Object> kept = new HashMap<>(this.values);
		kept.keySet().retainAll(which);
		return new RuleOptions(kept);
	}

	/**
	 * Return the options that no group of a {@link Rule} holds, and that differ from the
	 * default.
	 * @return the values by name
	 */
	Map<String, Object> others() {
		Map<String, Object> others = new HashMap<>();
		this.values.forEach((option, value) -> {
			if (!option.isGrouped() && option.byDefault().filter(value::equals).isEmpty()) {
				others.put(option.toString(), value);
			}
		});
		return others;
	}

	/**
	 * Properties of one option that are bound together, such as those of {@code ban}.
	 */
	@FunctionalInterface
	public interface BoundOption {

		/**
		 * Read the option.
		 * @param location the property, for messages
		 * @return the value of the option
		 * @throws InvalidRuleException if the properties are invalid
		 */
		Object read(String location);

	}

	/**
	 * A component of bound properties that sets an option.
	 *
	 * @param option the option
	 * @param property the name of the property
	 * @param accessor reads the component
	 */
	private record Binding(Option<?> option, String property, Method accessor) {

		Object read(String location, Object value) {
			Object bound = (value instanceof BoundOption properties) ? properties.read(location) : value;
			try {
				return this.option.reader.apply(this.property, bound);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRuleException(location, value.toString(), String.valueOf(ex.getMessage()),
						this.option.action);
			}
		}

	}

	/**
	 * A row of the table.
	 *
	 * @param <T> the type of the option's values
	 */
	public static final class Option<T> {

		private final String name;

		private final Function<Rule, Object> shown;

		private final boolean grouped;

		private String component;

		private String alternative = "";

		private String attribute;

		private Optional<T> fallback = Optional.empty();

		private Optional<T> unset = Optional.empty();

		private BiFunction<String, Object, Object> reader = (name, value) -> value;

		private String action = "";

		/**
		 * An option that a group of the rule holds.
		 * @param name its name, as in YAML
		 * @param shown finds the value of a rule: an {@link Optional} or list without
		 * content is not shown
		 */
		private Option(String name, Function<Rule, Object> shown) {
			this(name, shown, true);
		}

		/**
		 * An option that no group of the rule holds: it is one of {@link Rule#others()}.
		 * @param name its name, as in YAML
		 * @param value the value if it is not written
		 */
		private Option(String name, T value) {
			this(name, (rule) -> rule.others().getOrDefault(name, value), false);
			this.fallback = Optional.of(value);
		}

		/**
		 * An option that no group of the rule holds, and that has no default.
		 * @param name its name, as in YAML
		 */
		private Option(String name) {
			this(name, (rule) -> Optional.ofNullable(rule.others().get(name)), false);
		}

		private Option(String name, Function<Rule, Object> shown, boolean grouped) {
			this.name = name;
			this.component = name;
			this.attribute = camel(name);
			this.shown = shown;
			this.grouped = grouped;
			TABLE.put(name, this);
		}

		// Set the default.
		private Option<T> byDefault(T value) {
			this.fallback = Optional.of(value);
			return this;
		}

		// Set the value that means that the option is not set.
		private Option<T> unset(T value) {
			this.unset = Optional.of(value);
			return this;
		}

		// Set the conversion of a bound value to the option's value.
		private Option<T> read(BiFunction<String, Object, T> read, String advice) {
			this.reader = read::apply;
			this.action = advice;
			return this;
		}

		// Set another property that can be written in place of the option's own.
		private Option<T> alternative(String other) {
			this.alternative = other;
			return this;
		}

		// Set the name of the bound component, if Java does not permit the option's.
		private Option<T> component(String other) {
			this.component = other;
			return this;
		}

		// Set the attribute of the annotation. By default, it has the option's name.
		private Option<T> attribute(String other) {
			this.attribute = other;
			return this;
		}

		private static String camel(String kebab) {
			StringBuilder camel = new StringBuilder();
			for (String word : kebab.split("-")) {
				camel.append((camel.isEmpty()) ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
			}
			return camel.toString();
		}

		String attribute() {
			return this.attribute;
		}

		Optional<T> byDefault() {
			return this.fallback;
		}

		private Optional<Binding> binding(RecordComponent bound) {
			String property = kebab(bound.getName());
			if (property.equals(this.alternative)) {
				return Optional.of(new Binding(this, property, bound.getAccessor()));
			}
			return (property.equals(this.component)) ? Optional.of(new Binding(this, this.name, bound.getAccessor()))
					: Optional.empty();
		}

		boolean isGrouped() {
			return this.grouped;
		}

		boolean isUnset(Object value) {
			return this.unset.filter(value::equals).isPresent();
		}

		/**
		 * Read the value of an attribute.
		 * @param value the value
		 * @return the option's value
		 * @throws IllegalArgumentException if it is invalid
		 */
		Object read(Object value) {
			return this.reader.apply(this.name, value);
		}

		/**
		 * Return the name, as in JSON.
		 * @return the name, such as {@code onExcess}
		 */
		String camelName() {
			return camel(this.name);
		}

		/**
		 * Return the value of a rule, as in JSON.
		 * @param rule the rule
		 * @return a number, a boolean, a text, a list, or a map; empty if the option is
		 * not shown
		 */
		Optional<Object> json(Rule rule) {
			return value(rule).map((value) -> {
				if (value instanceof Waiting waiting) {
					return waiting.description();
				}
				return (value instanceof Number || value instanceof Boolean || value instanceof List<?>) ? value
						: text(value);
			});
		}

		/**
		 * Return the value of a rule as text.
		 * @param rule the rule
		 * @return the text; empty if the option is not shown
		 */
		Optional<String> text(Rule rule) {
			return value(rule).map(Option::text);
		}

		private Optional<Object> value(Rule rule) {
			Object value = this.shown.apply(rule);
			if (value instanceof OptionalInt number) {
				return (number.isPresent()) ? Optional.of(number.getAsInt()) : Optional.empty();
			}
			return (value instanceof Optional<?> found) ? found.map(Function.identity())
					: Optional.of(value).filter((present) -> !isEmpty(present) && !present.equals(""));
		}

		private static String text(Object value) {
			if (value instanceof Enum<?> constant) {
				return EnumNames.of(constant);
			}
			return (value instanceof List<?> list)
					? list.stream().map(Object::toString).collect(Collectors.joining(", ")) : value.toString();
		}

		/**
		 * Return the name, as in YAML.
		 * @return the name, such as {@code on-excess}
		 */
		@Override
		public String toString() {
			return this.name;
		}

	}

}
