package dev.ratelimit.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * If clients can be banned, marked, or paused: if that is enabled, a rule bans, or a
 * quota of HTTP clients may pause its rule.
 */
final class BansCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return isMet(context.getEnvironment());
	}

	static boolean isMet(Environment environment) {
		Boolean enabled = environment.getProperty("ratelimit.bans.enabled", Boolean.class);
		return (enabled != null) ? enabled : WrittenCondition.isWritten(environment, QuotasCondition.PROPERTY)
				|| WrittenCondition.isWritten(environment, "ratelimit.rules.*.ban");
	}

}
