package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.validation.Validator;

/**
 * The peer RedisRateLimiter of Spring Cloud Gateway, with the configuration that the
 * auto-configuration of the gateway creates.
 */
final class GatewayContestant implements Contestant {

	private static final String ROUTE = "route";

	/**
	 * The number of remaining tokens in a response that allows the request because Redis
	 * failed.
	 */
	private static final String REMAINING_AFTER_FAILURE = "-1";

	private final LettuceConnectionFactory connections;

	private final RedisRateLimiter limiter;

	GatewayContestant(Setup setup) {
		RedisAddress redis = setup.redis();
		Limit limit = setup.limit();
		this.connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()));
		this.connections.afterPropertiesSet();
		this.connections.start();
		this.limiter = new RedisRateLimiter(new ReactiveStringRedisTemplate(this.connections), script(),
				configurationService());
		this.limiter.getConfig()
			.put(ROUTE,
					new RedisRateLimiter.Config().setBurstCapacity(limit.capacity() * limit.secondUnitsPerToken())
						.setReplenishRate(limit.unitsPerSecond())
						.setRequestedTokens(limit.secondUnitsPerToken()));
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.limiter.isAllowed(ROUTE, key).toFuture().thenApply(this::isAllowed);
	}

	private boolean isAllowed(RateLimiter.@Nullable Response response) {
		if (response == null
				|| REMAINING_AFTER_FAILURE.equals(response.getHeaders().get(RedisRateLimiter.REMAINING_HEADER))) {
			throw new IllegalStateException("The gateway's limiter could not reach Redis");
		}
		return response.isAllowed();
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

	@SuppressWarnings("unchecked")
	private static RedisScript<List<Long>> script() {
		RedisScript<?> script = RedisScript.of(new ClassPathResource("META-INF/scripts/request_rate_limiter.lua"),
				List.class);
		return (RedisScript<List<Long>>) script;
	}

	private static ConfigurationService configurationService() {
		Validator acceptAll = Validator.forInstanceOf(RedisRateLimiter.Config.class, (config, errors) -> {
		});
		return new ConfigurationService(new DefaultListableBeanFactory(), DefaultConversionService::new,
				() -> acceptAll);
	}

}
