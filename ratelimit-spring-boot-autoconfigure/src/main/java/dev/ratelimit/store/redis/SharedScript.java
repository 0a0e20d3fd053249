package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a script on keys that all instances share, which returns integers.
 * Thread-safe.
 */
public final class SharedScript {

	private final RedisLuaExecutor decisions;

	private final LuaScript script;

	private final byte[][] keys;

	private final @Nullable InstantSource client;

	SharedScript(RedisConnector connector, LuaScript script, byte[][] keys, @Nullable InstantSource client) {
		this.decisions = new RedisLuaExecutor(connector::connection);
		this.script = script;
		this.keys = keys;
		this.client = client;
	}

	/**
	 * Run the script over the connection for decisions. Does not block.
	 * @param arguments its arguments, short texts
	 * @return the reply; fails with a {@link dev.ratelimit.store.StoreException}
	 */
	public CompletableFuture<long[]> run(String... arguments) {
		return this.decisions.run(call(List.of(arguments)));
	}

	/**
	 * Run the script over the connection for decisions.
	 * @param timeout the maximum time to wait
	 * @param arguments its arguments, short texts
	 * @return the reply
	 * @throws dev.ratelimit.store.StoreException if there is no reply
	 */
	public long[] await(Duration timeout, String... arguments) {
		return RedisFailures.await(run(arguments), timeout);
	}

	ScriptCall call(List<String> arguments) {
		List<byte[]> encoded = new ArrayList<>(arguments.size() + 1);
		arguments.forEach((argument) -> encoded.add(EncodedFamily.encode(argument)));
		if (this.client != null) {
			encoded.add(EncodedFamily.encode(ServerClock.millisOf(this.client)));
		}
		return new ScriptCall(this.script, this.keys, encoded.toArray(byte[][]::new));
	}

}
