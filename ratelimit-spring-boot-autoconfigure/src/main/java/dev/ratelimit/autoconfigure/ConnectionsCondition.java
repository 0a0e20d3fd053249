package dev.ratelimit.autoconfigure;

import java.util.Map;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * If connections can hold slots: if that is enabled, or a rule says what holds its slots.
 */
final class ConnectionsCondition implements Condition {

	private static final Bindable<Map<String, Object>> ENTRIES = Bindable.mapOf(String.class, Object.class);

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return isMet(context.getEnvironment());
	}

	static boolean isMet(Environment environment) {
		Binder binder = Binder.get(environment);
		return binder.bind("ratelimit.connections.enabled", Boolean.class).orElseGet(() -> isUsed(binder));
	}

	private static boolean isUsed(Binder binder) {
		return binder.bind("ratelimit.rules", ENTRIES)
			.orElseGet(Map::of)
			.values()
			.stream()
			.anyMatch((rule) -> rule instanceof Map<?, ?> properties && properties.containsKey("hold"));
	}

}
