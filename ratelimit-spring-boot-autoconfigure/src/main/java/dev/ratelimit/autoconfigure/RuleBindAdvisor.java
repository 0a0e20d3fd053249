package dev.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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

}
