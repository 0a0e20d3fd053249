package dev.ratelimit.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleLine;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Internal: binds the rules. A rule has forty properties, of which few are set. Boot's
 * binder looks up each property in all sources, and elements of lists among all names.
 * With a thousand rules, this took most of the startup time. This class reads the sources
 * once, and lets Boot's binder bind the properties that are set. A rule whose name in the
 * environment lacks the dashes of its id is bound once, under its id. Unknown properties
 * below the prefix of a group are rejected by the bean of the group.
 */
public final class RuleBindAdvisor implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final Log logger = LogFactory.getLog(RuleBindAdvisor.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

	private static final ConfigurationPropertyName RULES = ROOT.append("rules");

	private final Supplier<PropertyGroups> groups;

	/**
	 * Create an advisor.
	 * @param groups the groups of properties with separate beans
	 */
	public RuleBindAdvisor(Supplier<PropertyGroups> groups) {
		this.groups = SingletonSupplier.of(groups);
	}

	@Override
	public BindHandler apply(BindHandler handler) {
		return new RulesApart(this.groups.get().except(handler));
	}

	private static boolean isEnvironment(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	/**
	 * Binds the rules instead of Boot's binder. A handler can only replace a result after
	 * binding has succeeded or failed, and other advisors, such as that of Spring Cloud,
	 * do not pass on results that were created without properties. So this handler makes
	 * binding fail, and then returns the rules.
	 */
	private static final class RulesApart extends AbstractBindHandler {

		RulesApart(BindHandler parent) {
			super(parent);
		}

		// Without properties below the name, such as with an empty text, Boot's binder
		// binds the rules.
		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (name.equals(RULES) && hasRules(context)) {
				throw new BoundApart();
			}
			return super.onStart(name, target, context);
		}

		@Override
		public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			return (error instanceof BoundApart) ? new RuleBinder(context, this).rules()
					: super.onFailure(name, target, context, error);
		}

		private static boolean hasRules(BindContext context) {
			for (ConfigurationPropertySource source : context.getSources()) {
				if (source.containsDescendantOf(RULES) == ConfigurationPropertyState.PRESENT) {
					return true;
				}
			}
			return false;
		}

	}

	/**
	 * Binds each rule from the properties below its name.
	 */
	private static final class RuleBinder {

		/**
		 * The components of a rule by their names in the uniform form, which comparisons
		 * use.
		 */
		private static final Map<String, Component> COMPONENTS = Component.ofRules();

		private static final Bindable<String> LINE = Bindable.of(String.class);

		private final BindContext context;

		private final BindHandler handler;

		/** The properties of each rule, by its name. */
		private final Map<ConfigurationPropertyName, WrittenRule> written = new LinkedHashMap<>();

		/** All sources that can have rules, by precedence. */
		private final List<ConfigurationPropertySource> all = new ArrayList<>();

		/** The sources that do not list the names of their properties. */
		private final Set<ConfigurationPropertySource> others = new LinkedHashSet<>();

		private final Binder whole;

		private final PlaceholdersResolver resolver;

		private final Binder parts;

		/** The sources of the rule that is bound. */
		private List<ConfigurationPropertySource> sources = List.of();

		RuleBinder(BindContext context, BindHandler handler) {
			this.context = context;
			this.handler = new Unswallowed(handler);
			this.whole = context.getBinder();
			List<PropertySource<?>> placeholders = new ArrayList<>();
			for (ConfigurationPropertySource source : context.getSources()) {
				if (source.getUnderlyingSource() instanceof PropertySource<?> underlying) {
					placeholders.add(underlying);
				}
				this.all.add(source);
				read(source);
			}
			this.resolver = new PropertySourcesPlaceholdersResolver(placeholders);
			this.parts = new Binder(() -> this.sources.iterator(), this.resolver);
		}

		private void read(ConfigurationPropertySource source) {
			if (source instanceof IterableConfigurationPropertySource names) {
				names.stream()
					.filter(RULES::isAncestorOf)
					.forEach((name) -> this.written
						.computeIfAbsent(name.chop(RULES.getNumberOfElements() + 1), WrittenRule::new)
						.add(name, source));
			}
			else if (source.containsDescendantOf(RULES) != ConfigurationPropertyState.ABSENT) {
				this.others.add(source);
			}
		}

		Map<String, RuleProperties> rules() {
			Map<String, RuleProperties> rules = new LinkedHashMap<>();
			this.written.forEach((name, rule) -> rule(name, rule)
				.ifPresent((bound) -> rule.ids().forEach((id) -> rules.put(id, bound))));
			return rules;
		}

		private Optional<RuleProperties> rule(ConfigurationPropertyName name, WrittenRule rule) {
			this.others.forEach((source) -> rule.addLine(name, source));
			rule.expand(this.resolver).forEach((line) -> this.handler.onSuccess(name, LINE, this.context, line));
			this.sources = this.all.stream().flatMap((source) -> rule.of(source, this.others).stream()).toList();
			Collection<String> names = (this.others.isEmpty()) ? rule.components() : COMPONENTS.keySet();
			Map<Component, Object> values = new HashMap<>();
			for (String component : names) {
				Optional.ofNullable(COMPONENTS.get(component))
					.ifPresent((found) -> value(name, found).ifPresent((value) -> values.put(found, value)));
			}
			return (values.isEmpty()) ? Optional.empty() : Optional.of(Component.rule(values));
		}

		private Optional<Object> value(ConfigurationPropertyName rule, Component component) {
			ConfigurationPropertyName name = rule.append(component.name());
			try {
				return Optional.ofNullable(this.parts.bind(name, component.bindable(), this.handler).orElse(null));
			}
			catch (BindException ex) {
				// The application may have custom converters.
				return Optional.ofNullable(this.whole.bind(name, component.bindable(), this.handler).orElse(null));
			}
		}

	}

	/**
	 * Thrown so that Boot's binder does not bind the rules.
	 */
	private static final class BoundApart extends RuntimeException {

		private static final long serialVersionUID = 1;

		BoundApart() {
			super("Rules are bound apart", null, false, false);
		}

	}

	/**
	 * Fails if a value of a rule cannot be bound, even if other handlers ignore failures.
	 * Unknown properties are detected later, for all rules together.
	 */
	private static final class Unswallowed extends AbstractBindHandler {

		Unswallowed(BindHandler parent) {
			super(parent);
		}

		@Override
		public Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			throw error;
		}

		@Override
		public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				@Nullable Object result) {
		}

	}

	/**
	 * A component of {@link RuleProperties}.
	 *
	 * @param name the name in YAML
	 * @param index the index of the argument of the constructor
	 * @param bindable the target of the binding
	 */
	private record Component(String name, int index, Bindable<?> bindable) {

		@SuppressWarnings("unchecked")
		private static final Constructor<RuleProperties> CONSTRUCTOR = (Constructor<RuleProperties>) RuleProperties.class
			.getDeclaredConstructors()[0];

		/** The values of a rule without properties. */
		private static final @Nullable Object[] DEFAULTS = defaults();

		static Map<String, Component> ofRules() {
			Map<String, Component> components = new LinkedHashMap<>();
			Parameter[] parameters = CONSTRUCTOR.getParameters();
			for (int i = 0; i < parameters.length; i++) {
				Name written = parameters[i].getAnnotation(Name.class);
				String name = (written != null) ? written.value()
						: DataObjectPropertyName.toDashedForm(parameters[i].getName());
				Bindable<?> bindable = Bindable
					.of(ResolvableType.forMethodParameter(MethodParameter.forExecutable(CONSTRUCTOR, i)))
					.withAnnotations(parameters[i].getAnnotations());
				components.put(ConfigurationPropertyName.of(name).getElement(0, Form.UNIFORM),
						new Component(name, i, bindable));
			}
			return components;
		}

		/**
		 * Return whether the value has named parts: a map, or properties of its own.
		 * @return whether it is no text, number, constant, or list of these
		 */
		boolean isNested() {
			ResolvableType type = this.bindable.getType();
			Class<?> part = (type.hasGenerics()) ? type.getGeneric(type.getGenerics().length - 1).toClass()
					: type.toClass();
			return Map.class.isAssignableFrom(type.toClass()) || part.isRecord();
		}

		private static @Nullable Object[] defaults() {
			RuleProperties rule = new Binder(List.of()).bindOrCreate("rule", RuleProperties.class);
			return Arrays.stream(RuleProperties.class.getRecordComponents())
				.map((component) -> ReflectionUtils.invokeMethod(component.getAccessor(), rule))
				.toArray();
		}

		static RuleProperties rule(Map<Component, Object> values) {
			@Nullable Object[] arguments = DEFAULTS.clone();
			values.forEach((component, value) -> arguments[component.index()] = value);
			return BeanUtils.instantiateClass(CONSTRUCTOR, arguments);
		}

	}

	/**
	 * The properties of a rule in all sources.
	 */
	private static final class WrittenRule {

		private final ConfigurationPropertyName name;

		/** The names of the rule in sources whose names can have dashes. */
		private final Set<String> files = new LinkedHashSet<>();

		/** The names of the rule in the environment, without dashes. */
		private final Set<String> environment = new LinkedHashSet<>();

		private final Set<String> components = new LinkedHashSet<>();

		private final Map<ConfigurationPropertySource, RuleSource> sources = new LinkedHashMap<>();

		WrittenRule(ConfigurationPropertyName name) {
			this.name = name;
		}

		void add(ConfigurationPropertyName property, ConfigurationPropertySource source) {
			boolean variable = isEnvironment(source);
			int size = this.name.getNumberOfElements();
			((variable) ? this.environment : this.files).add(property.getElement(size - 1, Form.ORIGINAL));
			RuleSource of = this.sources.computeIfAbsent(source, RuleSource::new);
			if (property.getNumberOfElements() == size) {
				of.addLine(property);
			}
			else {
				String component = (variable) ? component(property) : property.getElement(size, Form.UNIFORM);
				if (variable && !sets(property, component)) {
					warn(property, source);
				}
				this.components.add(component);
				of.add(property);
			}
		}

		// Return whether a variable of the environment sets a property. Below a text or a
		// number, only the positions of a list are names.
		private boolean sets(ConfigurationPropertyName property, String component) {
			Component found = RuleBinder.COMPONENTS.get(component);
			int last = property.getNumberOfElements() - 1;
			return found != null && (found.isNested() || property.isNumericIndex(last)
					|| uniform(property).endsWith("." + component));
		}

		private String uniform(ConfigurationPropertyName property) {
			StringBuilder joined = new StringBuilder(".");
			for (int i = this.name.getNumberOfElements(); i < property.getNumberOfElements(); i++) {
				joined.append(property.getElement(i, Form.UNIFORM));
			}
			return joined.toString();
		}

		// Boot ignores variables of the environment that it does not know.
		private static void warn(ConfigurationPropertyName property, ConfigurationPropertySource source) {
			ConfigurationProperty found = source.getConfigurationProperty(property);
			Object origin = (found != null && found.getOrigin() != null) ? found.getOrigin() : property;
			logger.warn(origin + " sets no property of a rule. In such a name, ids of rules have no dashes:"
					+ " RATELIMIT_RULES_PERIP_LIMIT sets 'limit' of the rule 'per-ip'.");
		}

		// In a variable of the environment, underscores can stand for dashes.
		private String component(ConfigurationPropertyName property) {
			int size = this.name.getNumberOfElements();
			StringBuilder joined = new StringBuilder();
			for (int i = size; i < property.getNumberOfElements(); i++) {
				joined.append(property.getElement(i, Form.UNIFORM));
				if (RuleBinder.COMPONENTS.containsKey(joined.toString())) {
					return joined.toString();
				}
			}
			return property.getElement(size, Form.UNIFORM);
		}

		/**
		 * Add the line of a source that does not list its names, if it has one.
		 * @param rule the name of the rule
		 * @param source the source
		 */
		void addLine(ConfigurationPropertyName rule, ConfigurationPropertySource source) {
			if (source.getConfigurationProperty(rule) != null) {
				this.sources.computeIfAbsent(source, RuleSource::new).addLine(rule);
			}
		}

		/**
		 * Replace each line with the properties that it defines, in its source.
		 * @param resolver resolves placeholders in lines
		 * @return the lines
		 */
		List<String> expand(PlaceholdersResolver resolver) {
			List<String> lines = new ArrayList<>();
			this.sources.values().forEach((source) -> source.expand(resolver).ifPresent((line) -> {
				lines.add(line);
				source.ofLine()
					.forEach((property) -> this.components
						.add(property.getElement(this.name.getNumberOfElements(), Form.UNIFORM)));
			}));
			return lines;
		}

		/**
		 * Return the ids. There are several if the sources spell the id in several ways.
		 * @return the ids
		 */
		Set<String> ids() {
			return (this.files.isEmpty()) ? this.environment : this.files;
		}

		Set<String> components() {
			return this.components;
		}

		/**
		 * Return the properties of the rule in one source.
		 * @param source the source
		 * @param others sources that do not list their names
		 * @return a source of these properties; empty if it cannot have any
		 */
		Optional<ConfigurationPropertySource> of(ConfigurationPropertySource source,
				Set<ConfigurationPropertySource> others) {
			RuleSource part = this.sources.get(source);
			return (part != null) ? Optional.of(part) : Optional.of(source).filter(others::contains);
		}

	}

	/**
	 * The properties of one rule in one source, written as single properties or as a
	 * line.
	 */
	private static final class RuleSource implements IterableConfigurationPropertySource {

		private final ConfigurationPropertySource source;

		/**
		 * Whether the source lists the names of its properties. The environment lists
		 * names without dashes.
		 */
		private final boolean listed;

		private final Set<ConfigurationPropertyName> names = new LinkedHashSet<>();

		/** The properties that the line defines. */
		private final Map<ConfigurationPropertyName, ConfigurationProperty> ofLine = new LinkedHashMap<>();

		private @Nullable ConfigurationPropertyName line;

		RuleSource(ConfigurationPropertySource source) {
			this.source = source;
			this.listed = source instanceof IterableConfigurationPropertySource && !isEnvironment(source);
		}

		void add(ConfigurationPropertyName name) {
			this.names.add(name);
		}

		void addLine(ConfigurationPropertyName name) {
			this.line = name;
		}

		Set<ConfigurationPropertyName> ofLine() {
			return this.ofLine.keySet();
		}

		Optional<String> expand(PlaceholdersResolver resolver) {
			ConfigurationPropertyName rule = this.line;
			ConfigurationProperty property = (rule != null) ? this.source.getConfigurationProperty(rule) : null;
			if (rule == null || property == null) {
				return Optional.empty();
			}
			String text = String.valueOf(resolver.resolvePlaceholders(property.getValue()));
			line(property, text).properties().forEach((name, value) -> expand(property, rule.append(name), value));
			return Optional.of(text);
		}

		private static RuleLine line(ConfigurationProperty property, String text) {
			try {
				return RuleLine.parse(text);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRuleException(property.getName().toString(), String.valueOf(property.getValue()),
						String.valueOf(ex.getMessage()), "Correct the line.");
			}
		}

		private void expand(ConfigurationProperty line, ConfigurationPropertyName name, Object value) {
			if (this.names.stream().anyMatch((other) -> other.equals(name) || name.isAncestorOf(other))) {
				throw new InvalidRuleException(name.toString(), String.valueOf(line.getValue()),
						"the same source has the rule as a line, which sets it too", "Keep one of them.");
			}
			if (value instanceof List<?> list) {
				for (int i = 0; i < list.size(); i++) {
					put(name.append("[" + i + "]"), list.get(i), line);
				}
			}
			else {
				put(name, value, line);
			}
		}

		private void put(ConfigurationPropertyName name, Object value, ConfigurationProperty line) {
			this.ofLine.put(name, new ConfigurationProperty(name, value, line.getOrigin()));
		}

		@Override
		public Stream<ConfigurationPropertyName> stream() {
			return Stream.concat(this.names.stream(), this.ofLine.keySet().stream());
		}

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			ConfigurationProperty expanded = this.ofLine.get(name);
			if (expanded != null) {
				return expanded;
			}
			return (!this.listed || this.names.contains(name)) ? this.source.getConfigurationProperty(name) : null;
		}

		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			return (this.listed || this.ofLine.keySet().stream().anyMatch(name::isAncestorOf))
					? IterableConfigurationPropertySource.super.containsDescendantOf(name)
					: this.source.containsDescendantOf(name);
		}

		@Override
		public @Nullable Object getUnderlyingSource() {
			return this.source.getUnderlyingSource();
		}

	}

}
