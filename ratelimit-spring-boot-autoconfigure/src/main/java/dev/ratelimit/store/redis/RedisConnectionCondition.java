package dev.ratelimit.store.redis;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Internal: a condition that matches if properties contain an address of Redis.
 */
public final class RedisConnectionCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Redis connection properties");
		return (RedisConnectionProperties.areSet(context.getEnvironment()))
				? ConditionOutcome.match(message.because("an address of Redis is configured"))
				: ConditionOutcome.noMatch(message.because("no address of Redis is configured"));
	}

}
