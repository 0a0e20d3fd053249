package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Sends plain commands, which are rare. None is ever sent again. Nothing blocks.
 *
 * @param connection the connection at the time, or nothing
 */
record RedisCommands(Supplier<@Nullable StatefulConnection<byte[], byte[]>> connection) {

	/**
	 * Send a command.
	 * @param <T> what it replies
	 * @param type the command
	 * @param output reads the reply
	 * @param arguments its key, and all else
	 * @return the reply
	 */
	<T> CompletableFuture<T> send(CommandType type, CommandOutput<byte[], byte[], T> output,
			CommandArgs<byte[], byte[]> arguments) {
		StatefulConnection<byte[], byte[]> connection = this.connection.get();
		if (connection == null) {
			return CompletableFuture
				.failedFuture(new StoreException(StoreException.Kind.CONNECTION, "not connected yet", null));
		}
		AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(type, output, arguments));
		connection.dispatch(command);
		return command.handle((reply, failure) -> {
			if (failure != null) {
				throw RedisFailures.translate(failure, connection);
			}
			return reply;
		});
	}

}
