package dev.ratelimit.benchmarks;

import java.util.Map;

/**
 * What a contestant is opened with.
 *
 * @param redis where Redis is
 * @param limit what it enforces
 * @param options further settings of its table, by name
 */
record Setup(RedisAddress redis, Limit limit, Map<String, String> options) {

	String option(String name, String otherwise) {
		return this.options.getOrDefault(name, otherwise);
	}

	int number(String name, int otherwise) {
		return Integer.parseInt(option(name, String.valueOf(otherwise)));
	}

	Setup withOptions(Map<String, String> others) {
		return new Setup(this.redis, this.limit, others);
	}

	Setup with(Limit other) {
		return new Setup(this.redis, other, this.options);
	}

}
