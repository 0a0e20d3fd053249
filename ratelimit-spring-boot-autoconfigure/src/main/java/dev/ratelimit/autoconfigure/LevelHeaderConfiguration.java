package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.LevelHeaderCheck;
import dev.ratelimit.web.LevelHeaderCounts;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The header with the level of requests.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("ratelimit.load.header")
final class LevelHeaderConfiguration {

	@Bean
	LevelHeaderCounts rateLimitLevelHeaderCounts() {
		return new LevelHeaderCounts();
	}

	@Bean
	LevelHeaderCheck rateLimitLevelHeaderCheck(RateLimitProperties properties, LevelHeaderCounts counts) {
		LoadProperties load = properties.load();
		return new LevelHeaderCheck(String.valueOf(load.header()), load.trustedUpstreams(), load.localUpstreams(),
				counts);
	}

}
