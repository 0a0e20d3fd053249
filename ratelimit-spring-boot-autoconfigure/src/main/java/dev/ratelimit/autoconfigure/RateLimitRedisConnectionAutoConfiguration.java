package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;

/**
 * {@link AutoConfiguration Auto-configuration} that puts Boot's connection to Redis in
 * place where a bean says where Redis is, and no property does. It comes early, so that
 * what builds on the connection finds it.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.HIGHEST_PRECEDENCE + 100)
@ConditionalOnClass({ RedisOperations.class, DataRedisAutoConfiguration.class })
@Conditional(RateLimitRedisConnectionAutoConfiguration.SomeBeanTells.class)
@Import(RateLimitRedisConnectionAutoConfiguration.Connection.class)
public final class RateLimitRedisConnectionAutoConfiguration {

	/**
	 * Boot's own, brought in here where the filter has left it out. Deferred, because the
	 * filter also empties what auto-configurations import at once.
	 */
	static final class Connection implements DeferredImportSelector, EnvironmentAware {

		private @Nullable Environment environment;

		@Override
		public void setEnvironment(Environment environment) {
			this.environment = environment;
		}

		@Override
		public String[] selectImports(AnnotationMetadata importingClass) {
			boolean leftOut = this.environment != null && !RedisConnectionProperties.areSet(this.environment);
			return (leftOut) ? new String[] { DataRedisAutoConfiguration.class.getName() } : new String[0];
		}

	}

	/**
	 * Connection details from a container or the user, or the user's own factory.
	 */
	static final class SomeBeanTells extends AnyNestedCondition {

		SomeBeanTells() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(DataRedisConnectionDetails.class)
		static final class Details {

		}

		@ConditionalOnBean(RedisConnectionFactory.class)
		static final class Factory {

		}

	}

}
