package dev.ratelimit.benchmarks.http;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The smallest limiters that an engineer would write by hand for one rule, with the
 * header fields of the library. The property {@code benchmark.filter} selects one of
 * them.
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
	 * Return buckets that limit nothing. The header fields are sent, so the result is the
	 * lower bound for all limiters that send these fields.
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
