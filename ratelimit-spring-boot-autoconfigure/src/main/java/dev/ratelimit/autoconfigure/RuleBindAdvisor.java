package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.function.SingletonSupplier;

/**
 * Internal: skips what is not written of each rule. A rule has forty properties, of which
 * few are written, and the binder looks each up in all sources: with a thousand rules,
 * most of the start-up time went there. A rule that the environment names without its
 * dashes is bound once, under its id. Properties that belong to a group with a bean of
 * its own are rejected by that bean.
 */
public final class RuleBindAdvisor implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final ConfigurationPropertyName RULES = ConfigurationPropertyName.of("ratelimit.rules");

	private final Supplier<PropertyGroups> groups;

	/**
	 * An advisor.
	 * @param groups the groups of properties that have beans of their own
	 */
	public RuleBindAdvisor(Supplier<PropertyGroups> groups) {
		this.groups = SingletonSupplier.of(groups);
	}

	@Override
	public BindHandler apply(BindHandler handler) {
		return new Skipping(this.groups.get().except(handler));
	}

	private static final class Skipping extends AbstractBindHandler {

		/** Known while rules are bound. */
		private @Nullable WrittenNames written;

		Skipping(BindHandler parent) {
			super(parent);
		}

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (name.equals(RULES)) {
				this.written = WrittenNames.below(RULES, context.getSources());
			}
			boolean skipped = this.written != null && RULES.isAncestorOf(name) && !this.written.contains(name);
			return (skipped) ? null : super.onStart(name, target, context);
		}

		// The binder compares names without dashes, so both have the same properties.
		@Override
		public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Object result) {
			Object bound = super.onSuccess(name, target, context, result);
			if (name.equals(RULES) && bound instanceof Map<?, ?> rules) {
				Set<String> again = RuleSpellings.below(RULES, context.getSources()).again();
				Map<Object, Object> once = new LinkedHashMap<>(rules);
				once.keySet().removeAll(again);
				return once;
			}
			return bound;
		}

		@Override
		public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				@Nullable Object result) throws Exception {
			super.onFinish(name, target, context, result);
			if (name.equals(RULES)) {
				this.written = null;
			}
		}

	}

	/**
	 * How the sources of properties write the ids of rules. Environment variables have no
	 * dashes.
	 *
	 * @param files ids as sources write them that can write dashes
	 * @param environment ids as the environment writes them
	 */
	private record RuleSpellings(Set<String> files, Set<String> environment) {

		static RuleSpellings below(ConfigurationPropertyName rules, Iterable<ConfigurationPropertySource> sources) {
			RuleSpellings spellings = new RuleSpellings(new HashSet<>(), new HashSet<>());
			for (ConfigurationPropertySource source : sources) {
				if (source instanceof IterableConfigurationPropertySource iterable) {
					boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
					Set<String> ids = (variables) ? spellings.environment : spellings.files;
					iterable.stream()
						.filter(rules::isAncestorOf)
						.forEach((name) -> ids.add(name.getElement(rules.getNumberOfElements(), Form.ORIGINAL)));
				}
			}
			return spellings;
		}

		/**
		 * The ids by which the environment names rules of other sources again.
		 * @return the ids; each other one is a rule
		 */
		Set<String> again() {
			Map<String, String> written = new HashMap<>();
			this.files.forEach((id) -> written.put(id.replace("-", ""), id));
			return this.environment.stream()
				.filter((id) -> !this.files.contains(id) && written.containsKey(id.replace("-", "")))
				.collect(Collectors.toUnmodifiableSet());
		}

	}

	/**
	 * The names of properties that are written below a name.
	 *
	 * @param names the names and all that lead to them
	 * @param others sources that do not list their names
	 */
	private record WrittenNames(Set<ConfigurationPropertyName> names, List<ConfigurationPropertySource> others) {

		static WrittenNames below(ConfigurationPropertyName root, Iterable<ConfigurationPropertySource> sources) {
			WrittenNames written = new WrittenNames(new HashSet<>(), new ArrayList<>());
			for (ConfigurationPropertySource source : sources) {
				if (source instanceof IterableConfigurationPropertySource iterable) {
					iterable.stream().filter(root::isAncestorOf).forEach((name) -> written.add(root, name));
				}
				else {
					written.others.add(source);
				}
			}
			return written;
		}

		private void add(ConfigurationPropertyName root, ConfigurationPropertyName name) {
			for (int size = name.getNumberOfElements(); size > root.getNumberOfElements(); size--) {
				this.names.add(name.chop(size));
			}
		}

		/**
		 * Whether a property may be written, or one below it.
		 * @param name the name
		 * @return whether it, or one below it, has been seen or may be in a source that
		 * does not list its names
		 */
		boolean contains(ConfigurationPropertyName name) {
			return this.names.contains(name) || this.others.stream().anyMatch((source) -> mayHave(source, name));
		}

		private static boolean mayHave(ConfigurationPropertySource source, ConfigurationPropertyName name) {
			return source.containsDescendantOf(name) != ConfigurationPropertyState.ABSENT
					|| source.getConfigurationProperty(name) != null;
		}

	}

}
