package dev.ratelimit.autoconfigure;

import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.Jitter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: the factory of header fields, which HTTP, gRPC, and GraphQL share.
 */
@Configuration(proxyBeanMethods = false)
public final class HeaderConfiguration {

	@Bean
	@ConditionalOnMissingBean
	HeaderFactory rateLimitResponseWriter(RateLimitProperties properties, Editions editions,
			ObjectProvider<WallClock> clock, ObjectProvider<Jitter> jitter) {
		HeaderFactory headers = new HeaderFactory(clock.getIfAvailable(WallClock::system).source(),
				properties.headers().settings(),
				jitter.getIfAvailable(() -> Jitter.of((int) properties.headers().retryAfterJitter().toSeconds())));
		editions.addListener(headers::follow);
		return headers;
	}

}
