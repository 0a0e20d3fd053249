package dev.ratelimit.autoconfigure;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.candidate.CandidateStore;
import dev.ratelimit.candidate.RedisCandidateStore;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.redis.RedisLive;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of live rules in Redis.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RateLimitRedisAutoConfiguration.class, before = RateLimitLiveAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "redis")
@Import(LiveRedisConfiguration.class)
public final class RateLimitLiveRedisAutoConfiguration {

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(RuleSource.class)
	WritableRuleSource rateLimitRedisRuleSource(RedisLive live, RateLimitProperties properties,
			Environment environment) {
		if (!KeyPrefix.isOwn(properties, environment)) {
			throw new StoreConfigurationException(
					"'ratelimit.live.source' is 'redis', but the application has no name: all applications without one"
							+ " would share their rules.",
					"Set 'spring.application.name', or set 'ratelimit.redis.key-prefix' to a prefix for this"
							+ " application.");
		}
		return live.rules();
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	CandidateStore rateLimitRedisCandidate(RedisLive live) {
		return new RedisCandidateStore(live);
	}

}
