package dev.ratelimit.autoconfigure;

import dev.ratelimit.base.CurrentUser;
import dev.ratelimit.base.SecurityUser;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CallOrigin;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.method.RateLimitedBeanPostProcessor;

import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of limits on methods of beans that are not
 * web handlers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.methods.enabled", matchIfMissing = true)
@ConditionalOnClass(AbstractBeanFactoryAwareAdvisingPostProcessor.class)
@ConditionalOnBean(RateLimitEngine.class)
public final class RateLimitMethodAutoConfiguration {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder",
			RateLimitMethodAutoConfiguration.class.getClassLoader());

	@Bean
	@ConditionalOnMissingBean
	CurrentUser rateLimitCurrentUser() {
		return (SECURITY) ? new SecurityUser() : CurrentUser.UNKNOWN;
	}

	@Bean
	MethodGate rateLimitMethodGate(RateLimitEngine engine, CurrentUser user, ObjectProvider<CallOrigin> origin,
			ConfigurableListableBeanFactory beans, ObjectProvider<PassageObserver> passages,
			RateLimitProperties properties) {
		return new MethodGate(engine, user, origin.getIfAvailable(() -> CallOrigin.UNKNOWN), beans,
				passages.getIfAvailable(() -> PassageObserver.NONE), properties.methods().maxWaiting());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedBeanPostProcessor rateLimitedBeanPostProcessor(ObjectProvider<MethodGate> gate,
			Environment environment) {
		RateLimitedBeanPostProcessor postProcessor = new RateLimitedBeanPostProcessor(gate::getObject);
		postProcessor
			.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, Boolean.TRUE));
		return postProcessor;
	}

}
