package dev.ratelimit.benchmarks;

import io.lettuce.core.RedisClient;

/**
 * The address of a Redis server.
 *
 * @param host the host of the server
 * @param port the port of the server
 */
public record RedisAddress(String host, int port) {

	static RedisAddress parse(String text) {
		int colon = text.lastIndexOf(':');
		return new RedisAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
	}

	/**
	 * Return the address as a URI for clients.
	 */
	public String uri() {
		return "redis://" + this.host + ":" + this.port;
	}

	RedisClient newClient() {
		return RedisClient.create(uri());
	}

}
