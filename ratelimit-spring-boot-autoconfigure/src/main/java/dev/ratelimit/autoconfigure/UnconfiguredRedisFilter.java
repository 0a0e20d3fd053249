package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves out Boot's connection to Redis where no property says where Redis is. The
 * starter brings the libraries along; that alone must not make the application connect to
 * localhost, report its health, or cache there. Beans that say where Redis is are seen
 * only later: {@link RateLimitRedisConnectionAutoConfiguration} puts the connection back
 * for them.
 */
final class UnconfiguredRedisFilter implements AutoConfigurationImportFilter, EnvironmentAware {

	private static final String CONNECTION = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

	private @Nullable Environment environment;

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public boolean[] match(@Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
		boolean configured = this.environment == null || RedisConnectionProperties.areSet(this.environment);
		boolean[] matches = new boolean[autoConfigurationClasses.length];
		for (int i = 0; i < matches.length; i++) {
			matches[i] = configured || !CONNECTION.equals(autoConfigurationClasses[i]);
		}
		return matches;
	}

}
