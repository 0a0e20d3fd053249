package dev.ratelimit.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Internal: matches if connections can hold slots.
 */
public final class ConnectionsCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return ConnectionChecks.enabled(context.getEnvironment());
	}

}
