package dev.ratelimit.live;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.ratelimit.autoconfigure.PropertyGroups;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.RuleBindAdvisor;
import dev.ratelimit.autoconfigure.WrittenRules;
import dev.ratelimit.rule.InvalidRuleException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Adopts rules and defaults when Spring Cloud has refreshed the properties. The event of
 * Spring Cloud is identified by its name, so Spring Cloud is optional.
 */
final class EnvironmentRules implements SmartApplicationListener {

	/** The event of {@code spring-cloud-context}. */
	static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private static final Log logger = LogFactory.getLog(EnvironmentRules.class);

	/** The properties that may be changed without a restart. */
	private static final Set<String> ADOPTED = Set.of("rules", "defaults");

	private final Environment environment;

	private final EffectiveRules rules;

	private final PropertyGroups groups;

	private RateLimitProperties active;

	private Map<String, String> others;

	EnvironmentRules(Environment environment, EffectiveRules rules, RateLimitProperties properties,
			PropertyGroups groups) {
		this.environment = environment;
		this.rules = rules;
		this.active = properties;
		this.groups = groups;
		this.others = groups.values(environment);
	}

	@Override
	public boolean supportsEventType(Class<? extends ApplicationEvent> eventType) {
		return eventType.getName().equals(EVENT);
	}

	@Override
	public synchronized void onApplicationEvent(ApplicationEvent event) {
		try {
			Map<String, String> values = this.groups.values(this.environment);
			adopt(bind(), values);
		}
		catch (InvalidRuleException ex) {
			logger.warn("The changed properties were rejected, the rules before stay active: " + ex.getMessage() + ". "
					+ ex.action());
		}
		catch (BindException ex) {
			// The message of the exception contains the value, which may be a secret, so
			// it is not logged.
			logger.warn("The changed properties were rejected, the rules before stay active: '"
					+ ((ex.getProperty() != null) ? ex.getProperty().getName() : ex.getName()) + "' cannot be used");
		}
	}

	private RateLimitProperties bind() {
		BindHandler handler = new RuleBindAdvisor(() -> this.groups)
			.apply(new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
		try {
			return Binder.get(this.environment)
				.bindOrCreate("ratelimit", Bindable.of(RateLimitProperties.class), handler);
		}
		catch (BindException ex) {
			for (Throwable cause = ex.getCause(); cause != null; cause = cause.getCause()) {
				if (cause instanceof InvalidRuleException invalid) {
					throw invalid;
				}
			}
			throw ex;
		}
	}

	private void adopt(RateLimitProperties next, Map<String, String> values) {
		if (!next.rules().equals(this.active.rules()) || !next.defaults().equals(this.active.defaults())) {
			WrittenRules written = new WrittenRules(next);
			List<RuleChange> changes = this.rules
				.rebase((layers) -> layers.with(written.environment()).with(next.defaults().definition()));
			logger.info("The changed rules of the properties are active: "
					+ changes.stream().map(RuleChange::rule).distinct().toList());
		}
		warnOfOthers(next);
		values.forEach((group, value) -> {
			if (!value.equals(this.others.get(group))) {
				warn(group);
			}
		});
		this.active = next;
		this.others = values;
	}

	private void warnOfOthers(RateLimitProperties next) {
		for (RecordComponent component : RateLimitProperties.class.getRecordComponents()) {
			if (!ADOPTED.contains(component.getName())
					&& !Objects.equals(value(component, this.active), value(component, next))) {
				warn("ratelimit." + name(component));
			}
		}
	}

	private static void warn(String group) {
		logger.warn("'" + group + "' changed; restart to apply it");
	}

	private static String name(RecordComponent component) {
		return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private static Object value(RecordComponent component, RateLimitProperties properties) {
		try {
			return Objects.toString(component.getAccessor().invoke(properties));
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
