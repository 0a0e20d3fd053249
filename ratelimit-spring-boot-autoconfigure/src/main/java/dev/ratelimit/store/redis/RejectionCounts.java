package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.BooleanOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Internal: sums of rejections by name, in a sorted set for each minute, and the random
 * key for the hashes that replace subjects. All of these keys are in one slot. No method
 * blocks. Thread-safe.
 */
public final class RejectionCounts {

	private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

	private static final byte[] MINUTE_TTL = EncodedFamily.encode(Duration.ofHours(2).toMillis());

	/**
	 * Longer than the lifetime of the minutes with names that were hashed with the key.
	 */
	private static final long KEY_TTL_MILLIS = Duration.ofHours(3).toMillis();

	private static final byte[] MAX_NAMES = EncodedFamily.encode(2000);

	private static final LuaScript SCRIPT = LuaScript.rejections();

	private final RedisLuaExecutor scripts;

	private final RedisCommands commands;

	private final RedisKeys keys;

	/**
	 * Create the counts of all instances of an application.
	 * @param connector the connection
	 * @param prefix the prefix of the application's keys
	 */
	public RejectionCounts(RedisConnector connector, String prefix) {
		this.scripts = new RedisLuaExecutor(connector::connection);
		this.commands = new RedisCommands(connector::connection);
		this.keys = new RedisKeys(prefix, HashTag.SUBJECT);
	}

	/**
	 * Add to the sums of a minute, of which the largest are kept.
	 * @param minute the minute
	 * @param counts the counts to add, by name; the name {@code missed} is always kept
	 * @return completed when done
	 */
	public CompletableFuture<Void> add(long minute, Map<String, Long> counts) {
		List<byte[]> arguments = new ArrayList<>(List.of(MINUTE_TTL, MAX_NAMES));
		counts.forEach((name, count) -> {
			arguments.add(name.getBytes(StandardCharsets.UTF_8));
			arguments.add(EncodedFamily.encode(count));
		});
		return this.scripts.run(ScriptCall.of(SCRIPT, List.of(this.keys.rejections(minute)), arguments))
			.thenAccept((dropped) -> {
			});
	}

	/**
	 * Read the sums of a minute.
	 * @param minute the minute
	 * @return the sums by name
	 */
	public CompletableFuture<Map<String, Long>> read(long minute) {
		CommandArgs<byte[], byte[]> all = new CommandArgs<>(CODEC).addKey(this.keys.rejections(minute))
			.add(0)
			.add(-1)
			.add("WITHSCORES");
		return this.commands.send(CommandType.ZRANGE, new ScoredValueListOutput<>(CODEC), all)
			.thenApply(RejectionCounts::sums);
	}

	private static Map<String, Long> sums(List<ScoredValue<byte[]>> found) {
		Map<String, Long> sums = new HashMap<>();
		found.forEach((one) -> sums.put(new String(one.getValue(), StandardCharsets.UTF_8), (long) one.getScore()));
		return sums;
	}

	/**
	 * Agree with the other instances on a random key.
	 * @param proposed the key to use if there is none yet
	 * @return the key that all instances use
	 */
	public CompletableFuture<byte[]> agree(byte[] proposed) {
		byte[] name = this.keys.rejectionsKey();
		CompletableFuture<?> set = this.commands.send(CommandType.SET, new StatusOutput<>(CODEC),
				new CommandArgs<>(CODEC).addKey(name).addValue(proposed).add("NX").add("PX").add(KEY_TTL_MILLIS));
		CompletableFuture<byte[]> present = this.commands.send(CommandType.GET, new ValueOutput<>(CODEC),
				new CommandArgs<>(CODEC).addKey(name));
		CompletableFuture<?> kept = this.commands.send(CommandType.PEXPIRE, new BooleanOutput<>(CODEC),
				new CommandArgs<>(CODEC).addKey(name).add(KEY_TTL_MILLIS));
		return CompletableFuture.allOf(set, kept).thenCombine(present, (done, key) -> (key != null) ? key : proposed);
	}

	/**
	 * Sends plain commands, which are rare. No command is sent again. No method blocks.
	 *
	 * @param connection supplies the current connection, or null
	 */
	private record RedisCommands(Supplier<@Nullable StatefulConnection<byte[], byte[]>> connection) {

		/**
		 * Send a command.
		 * @param <T> the type of the reply
		 * @param type the command
		 * @param output reads the reply
		 * @param arguments the key and the other arguments
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

}
