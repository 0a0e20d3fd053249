package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.store.Upkeep;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: checks whether a server keeps counts after a restart and never evicts them.
 * Reads {@code INFO} periodically. The result is unknown until there is a reply, and if
 * the user lacks the permission to read {@code INFO}. Thread-safe.
 */
public final class RedisPersistence implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisPersistence.class);

	private static final Duration FIRST = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofMinutes(10);

	private final RedisConnector connector;

	private final Upkeep.Task reads;

	private volatile String info = "";

	/**
	 * Start to read {@code INFO} periodically.
	 * @param connector the connection
	 * @param upkeep runs the periodic reads
	 */
	public RedisPersistence(RedisConnector connector, Upkeep upkeep) {
		this.connector = connector;
		this.reads = upkeep.start(FIRST, PAUSE, "Failed to read INFO", this::read);
	}

	private void read() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		if (connection == null) {
			return;
		}
		AsyncCommand<byte[], byte[], byte[]> command = new AsyncCommand<>(
				new Command<>(CommandType.INFO, new ByteArrayOutput<>(ByteArrayCodec.INSTANCE)));
		connection.dispatch(command);
		command.whenComplete((reply, failure) -> {
			if (failure != null) {
				logger.debug("Failed to read INFO; the persistence of Redis is unknown", failure);
			}
			this.info = (reply != null) ? "\n" + new String(reply, StandardCharsets.UTF_8) : "";
		});
	}

	/**
	 * Return the reason why counts can be lost.
	 * @return a sentence; empty if counts are kept or if this is unknown
	 */
	public Optional<String> weakness() {
		String read = this.info;
		if (has(read, "aof_enabled:0")) {
			return Optional.of("Redis writes no append-only file, so a restart loses what was counted since its last"
					+ " snapshot.");
		}
		boolean evicts = read.contains("\nmaxmemory_policy:") && !has(read, "maxmemory_policy:noeviction")
				&& !has(read, "maxmemory:0");
		return (evicts)
				? Optional.of("Redis evicts keys when its memory is full, and a count that is evicted begins anew.")
				: Optional.empty();
	}

	private static boolean has(String info, String line) {
		return info.contains("\n" + line + "\r") || info.contains("\n" + line + "\n");
	}

	@Override
	public void close() {
		this.reads.close();
	}

}
