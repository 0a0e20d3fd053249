package dev.ratelimit.benchmarks.http;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The smallest limiters an engineer would write by hand for one rule, with the same
 * header fields, chosen by {@code benchmark.filter}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(Numbers.class)
class HandWritten {

	static final String PROPERTY = "benchmark.filter";

	static final String BODY = "{\"title\":\"Quota Exceeded\",\"status\":429,\"violated-policies\":[\"hello\"]}";

	@Bean
	@ConditionalOnProperty(name = PROPERTY)
	Fields fields(Numbers numbers) {
		return new Fields(numbers);
	}

	/**
	 * Limits nothing, but sends the header fields: the lower bound for every limiter with
	 * the same fields.
	 */
	@Bean
	@ConditionalOnProperty(name = PROPERTY, havingValue = "fields")
	Buckets noBuckets(Numbers numbers) {
		return new FieldsAlone(numbers);
	}

	@Bean
	@ConditionalOnProperty(name = PROPERTY, havingValue = "memory")
	Buckets memoryBuckets(Numbers numbers) {
		return new MemoryBuckets(numbers);
	}

	@Bean
	@ConditionalOnProperty(name = PROPERTY, havingValue = "leased")
	Buckets leasedBuckets(Numbers numbers) {
		return new LeasedBuckets(numbers);
	}

	@Bean
	@ConditionalOnProperty(name = PROPERTY, havingValue = "strict")
	Buckets redisBuckets(Numbers numbers) {
		return new RedisBuckets(numbers);
	}

}
