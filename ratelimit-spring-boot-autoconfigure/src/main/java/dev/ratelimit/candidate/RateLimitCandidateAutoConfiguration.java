package dev.ratelimit.candidate;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.autoconfigure.RedisStore;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.LiveThread;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.live.redis.RedisLive;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} of candidates, for live rules in Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.live.redis.RateLimitLiveRedisAutoConfiguration",
		"dev.ratelimit.live.RateLimitLiveAutoConfiguration",
		"dev.ratelimit.live.edit.RateLimitLiveEditAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitCandidateAutoConfiguration {

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
	@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "redis")
	@ConditionalOnBean(RedisLive.class)
	static class InRedis {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean
		CandidateStore rateLimitRedisCandidate(RedisLive live) {
			return new RedisCandidateStore(live);
		}

	}

	@Order(2)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
	@ConditionalOnBean({ RateLimitEngine.class, CandidateStore.class })
	static class Comparing {

		@Bean
		LiveCandidate rateLimitLiveCandidate(CandidateStore store, EffectiveRules rules, RateLimitEngine engine,
				RedisStore redis, LiveThread thread, Upkeep upkeep, Time time) {
			return new LiveCandidate(store, rules, engine, redis.candidate(), thread, upkeep, time);
		}

	}

	@Order(3)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ LiveCandidate.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		CandidateMetrics rateLimitCandidateMetrics(LiveCandidate candidate) {
			return new CandidateMetrics(candidate);
		}

	}

	@Order(3)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(LiveCandidate.class)
	@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
	static class Resource {

		@Bean
		LiveCandidateResource rateLimitLiveCandidateResource(LiveCandidate candidate, CandidateStore store,
				RuleEditor editor, ApplicationEventPublisher events) {
			return new LiveCandidateResource(candidate, new CandidateEditor(editor, store, events));
		}

	}

}
