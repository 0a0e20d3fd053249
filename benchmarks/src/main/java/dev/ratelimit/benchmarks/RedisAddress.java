package dev.ratelimit.benchmarks;

import io.lettuce.core.RedisClient;

/**
 * Where a Redis listens.
 *
 * @param host its host
 * @param port its port
 */
public record RedisAddress(String host, int port) {

	static RedisAddress parse(String text) {
		int colon = text.lastIndexOf(':');
		return new RedisAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
	}

	/**
	 * The address as clients take it.
	 */
	public String uri() {
		return "redis://" + this.host + ":" + this.port;
	}

	RedisClient newClient() {
		return RedisClient.create(uri());
	}

}
