package dev.ratelimit.store.redis;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Whether the application configures a Redis server: by properties, by connection details
 * that do not come from properties, or by its own connection factory.
 */
final class ConfiguredRedisCondition extends SpringBootCondition implements ConfigurationCondition {

	/**
	 * The package of Spring Boot's auto-configuration. Its beans are ignored, because
	 * each application with Spring Data Redis has them.
	 */
	private static final String DEFAULTS = "org.springframework.boot.data.redis.autoconfigure.";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Redis of the application");
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		boolean configured = RedisConnectionProperties.areSet(context.getEnvironment())
				|| declares(beans, RedisConnectionFactory.class) || declares(beans, DataRedisConnectionDetails.class);
		return (configured) ? ConditionOutcome.match(message.because("it is configured"))
				: ConditionOutcome.noMatch(message.because("only Spring Boot's defaults apply"));
	}

	private static boolean declares(@Nullable ConfigurableListableBeanFactory beans, Class<?> type) {
		return beans != null && (Arrays.stream(beans.getBeanNamesForType(type, true, false))
			.anyMatch((name) -> !isDefault(beans, name))
				|| (beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent
						&& declares(parent, type)));
	}

	private static boolean isDefault(ConfigurableListableBeanFactory beans, String name) {
		MethodMetadata method = (beans.containsBeanDefinition(name)
				&& beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition annotated)
						? annotated.getFactoryMethodMetadata() : null;
		return method != null && method.getDeclaringClassName().startsWith(DEFAULTS);
	}

}
