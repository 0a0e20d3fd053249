package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a connection for a few commands on keys that all instances share. Its methods
 * block, for at most a few seconds, and throw a {@link StoreException} if Redis is
 * unavailable.
 */
public final class SharedSession implements AutoCloseable {

	private static final RedisCodec<byte[], byte[]> CODEC = ByteArrayCodec.INSTANCE;

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final String REJECTED = "Currently not connected";

	private static final int MAX_ATTEMPTS = 200;

	private static final long PAUSE_NANOS = 1_000_000;

	private final StatefulConnection<byte[], byte[]> connection;

	private final Function<String, byte[]> keys;

	private final boolean brief;

	SharedSession(StatefulConnection<byte[], byte[]> connection, Function<String, byte[]> keys, boolean brief) {
		this.connection = connection;
		this.keys = keys;
		this.brief = brief;
	}

	/**
	 * Run a script.
	 * @param script the script
	 * @param arguments its arguments
	 * @return its reply
	 */
	public long[] run(SharedScript script, List<String> arguments) {
		ScriptCall call = script.call(arguments);
		return await(() -> new ScriptCommand(this.connection, call, CommandType.EVALSHA).send());
	}

	/**
	 * Read a hash.
	 * @param label the label of the key
	 * @return its values by field
	 */
	public Map<String, String> hash(String label) {
		Map<String, String> texts = new HashMap<>();
		send(CommandType.HGETALL, () -> new MapOutput<>(CODEC), arguments(label))
			.forEach((field, value) -> texts.put(text(field), text(value)));
		return texts;
	}

	/**
	 * Read some fields of a hash.
	 * @param label the label of the key
	 * @param fields the fields
	 * @return their values
	 */
	public List<Optional<String>> hash(String label, List<String> fields) {
		CommandArgs<byte[], byte[]> arguments = arguments(label);
		fields.forEach((field) -> arguments.add(EncodedFamily.encode(field)));
		List<Optional<String>> texts = new ArrayList<>();
		for (@Nullable
		byte[] value : send(CommandType.HMGET, () -> new ValueListOutput<>(CODEC), arguments)) {
			texts.add(Optional.ofNullable(value).map(SharedSession::text));
		}
		return texts;
	}

	/**
	 * Return the members of a sorted set above a score, in its order.
	 * @param label the label of the key
	 * @param above the score
	 * @param count the maximum number of members
	 * @return the members
	 */
	public List<String> members(String label, long above, int count) {
		CommandArgs<byte[], byte[]> arguments = arguments(label).add("(" + above)
			.add("+inf")
			.add("LIMIT")
			.add(0)
			.add(count);
		return send(CommandType.ZRANGEBYSCORE, () -> new ValueListOutput<>(CODEC), arguments).stream()
			.map(SharedSession::text)
			.toList();
	}

	private CommandArgs<byte[], byte[]> arguments(String label) {
		return new CommandArgs<>(CODEC).addKey(this.keys.apply(label));
	}

	private <T> T send(CommandType type, Supplier<CommandOutput<byte[], byte[], T>> output,
			CommandArgs<byte[], byte[]> arguments) {
		return await(() -> {
			AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(type, output.get(), arguments));
			this.connection.dispatch(command);
			return command.toCompletableFuture();
		});
	}

	// The client reports that it is connected shortly before it accepts commands. A
	// rejected command was not sent, so that it can be repeated.
	private static <T> T await(Supplier<CompletableFuture<T>> command) {
		for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
			try {
				return RedisFailures.await(command.get(), TIMEOUT);
			}
			catch (StoreException ex) {
				if (!String.valueOf(ex.getMessage()).startsWith(REJECTED)) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
		return RedisFailures.await(command.get(), TIMEOUT);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public void close() {
		if (this.brief) {
			this.connection.closeAsync();
		}
	}

}
