package dev.ratelimit.benchmarks;

import java.util.Map;

/**
 * The configuration of a contestant.
 *
 * @param redis the address of Redis
 * @param limit the limit that the contestant enforces
 * @param options the further settings of its table, by name
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
