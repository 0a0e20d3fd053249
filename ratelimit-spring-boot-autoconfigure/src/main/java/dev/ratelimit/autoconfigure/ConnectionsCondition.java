package dev.ratelimit.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * If connections can hold slots: if that is enabled, or a rule says what holds its slots.
 */
final class ConnectionsCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return isMet(context.getEnvironment());
	}

	static boolean isMet(Environment environment) {
		Boolean enabled = environment.getProperty("ratelimit.connections.enabled", Boolean.class);
		return (enabled != null) ? enabled : WrittenCondition.isWritten(environment, "ratelimit.rules.*.hold");
	}

}
