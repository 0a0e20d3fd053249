package dev.ratelimit.benchmarks;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.RedisCodec;

/**
 * A contestant with one Lettuce connection, which all clients share.
 */
abstract class LettuceContestant<V> implements Contestant {

	private final RedisClient client;

	private final StatefulRedisConnection<String, V> connection;

	LettuceContestant(RedisAddress redis, RedisCodec<String, V> codec) {
		this.client = redis.newClient();
		this.connection = this.client.connect(codec);
	}

	final StatefulRedisConnection<String, V> connection() {
		return this.connection;
	}

	final RedisAsyncCommands<String, V> commands() {
		return this.connection.async();
	}

	@Override
	public final void close() {
		this.connection.close();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

}
