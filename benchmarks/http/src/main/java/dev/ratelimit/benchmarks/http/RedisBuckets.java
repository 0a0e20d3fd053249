package dev.ratelimit.benchmarks.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;

/**
 * Buckets in Redis: one call of a script for each charge, over one connection.
 */
final class RedisBuckets implements Buckets, AutoCloseable {

	private static final String SCRIPT = read();

	private final RedisClient client;

	private final RedisAsyncCommands<String, String> commands;

	private final String digest;

	private final Numbers numbers;

	private final String[] single;

	RedisBuckets(Numbers numbers) {
		this.client = RedisClient.create(numbers.redis());
		this.client.setOptions(ClientOptions.builder()
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.build());
		this.commands = this.client.connect().async();
		this.digest = this.commands.digest(SCRIPT);
		this.numbers = numbers;
		this.single = arguments(1);
	}

	@Override
	public CompletableFuture<Long> charge(String client) {
		return charge(client, this.single);
	}

	/**
	 * Charge several tokens, all or none.
	 */
	CompletableFuture<Long> charge(String client, String[] arguments) {
		String[] keys = { "h:" + client };
		return this.commands.<Long>evalsha(this.digest, ScriptOutputType.INTEGER, keys, arguments)
			.toCompletableFuture()
			.exceptionallyCompose((failure) -> (isUnknown(failure))
					? this.commands.<Long>eval(SCRIPT, ScriptOutputType.INTEGER, keys, arguments)
					: CompletableFuture.failedFuture(failure));
	}

	String[] arguments(long tokens) {
		return new String[] { String.valueOf(this.numbers.unitsPerMilli()),
				String.valueOf(tokens * this.numbers.unitsPerToken()), String.valueOf(this.numbers.capacity()) };
	}

	private static boolean isUnknown(Throwable failure) {
		return failure instanceof RedisNoScriptException
				|| failure instanceof CompletionException && failure.getCause() instanceof RedisNoScriptException;
	}

	private static String read() {
		try (InputStream script = RedisBuckets.class.getResourceAsStream("bucket.lua")) {
			return new String(Objects.requireNonNull(script, "bucket.lua").readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
