package dev.ratelimit.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Internal: matches if clients can be banned, marked, or paused.
 */
public final class BansCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return BanChecks.enabled(context.getEnvironment());
	}

}
