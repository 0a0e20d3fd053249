package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script by its digest, and sends its text once if the server does not know the
 * script. After any other failure, the call is not repeated, because the charge may have
 * been taken. No method blocks.
 */
final class RedisLuaExecutor implements ScriptCalls {

	private static final RedisCodec<byte[], byte[]> CODEC = ByteArrayCodec.INSTANCE;

	private final Supplier<@Nullable StatefulConnection<byte[], byte[]>> connection;

	/**
	 * Create an executor.
	 * @param connection supplies the current connection, or null
	 */
	RedisLuaExecutor(Supplier<@Nullable StatefulConnection<byte[], byte[]>> connection) {
		this.connection = connection;
	}

	@Override
	public CompletableFuture<long[]> run(ScriptCall call) {
		StatefulConnection<byte[], byte[]> connection = this.connection.get();
		if (connection == null) {
			return notConnected();
		}
		return new ScriptCommand(connection, call, CommandType.EVALSHA).send();
	}

	// The deadline is not used, because each call is sent immediately.
	@Override
	public CompletableFuture<long[]> run(ScriptCall call, long deadlineNanos) {
		return run(call);
	}

	@Override
	public CompletableFuture<long[]> runText(ScriptCall call) {
		StatefulConnection<byte[], byte[]> connection = this.connection.get();
		if (connection == null) {
			return notConnected();
		}
		return new ScriptCommand(connection, call, CommandType.EVAL).send();
	}

	/**
	 * Delete keys.
	 * @param keys the keys, all in one slot on a cluster
	 * @return completed when done
	 */
	CompletableFuture<Void> delete(byte[][] keys) {
		StatefulConnection<byte[], byte[]> connection = this.connection.get();
		if (connection == null) {
			return notConnected();
		}
		AsyncCommand<byte[], byte[], Long> command = new AsyncCommand<>(
				new Command<>(CommandType.DEL, new IntegerOutput<>(CODEC), new CommandArgs<>(CODEC).addKeys(keys)));
		connection.dispatch(command);
		return command.handle((deleted, failure) -> {
			if (failure != null) {
				throw RedisFailures.translate(failure, connection);
			}
			return null;
		});
	}

	static <T> CompletableFuture<T> notConnected() {
		return CompletableFuture
			.failedFuture(StoreException.uncharged(StoreException.Kind.CONNECTION, "not connected yet", null));
	}

}
