package dev.ratelimit.benchmarks.overload;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import jakarta.servlet.Filter;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The filter of the peer that the property {@code benchmark.limiter} names. Without the
 * property, there is no such filter.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PeerProperties.class)
class PeerFilters {

	@Bean
	@ConditionalOnProperty(name = "benchmark.limiter", havingValue = "bulkhead")
	Filter bulkhead(PeerProperties properties) {
		return new BulkheadFilter(Bulkhead.of("backend",
				BulkheadConfig.custom()
					.maxConcurrentCalls(properties.seats())
					.maxWaitDuration(properties.maxWait())
					.build()));
	}

	@Bean
	@ConditionalOnProperty(name = "benchmark.limiter", havingValue = "gradient2")
	Filter gradient2() {
		return filter(Gradient2Limit.newDefault());
	}

	@Bean
	@ConditionalOnProperty(name = "benchmark.limiter", havingValue = "vegas")
	Filter vegas() {
		return filter(VegasLimit.newDefault());
	}

	private static Filter filter(Limit limit) {
		return new ConcurrencyLimitFilter(
				new LevelLimiterBuilder().limit(WindowedLimit.newBuilder().build(limit)).build());
	}

}
