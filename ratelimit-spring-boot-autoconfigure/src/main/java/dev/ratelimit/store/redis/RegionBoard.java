package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.ratelimit.store.Upkeep;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: compares the limits that regions share. Each instance writes a digest of its
 * shared limits to the Redis of each other region, and reads the digests of the other
 * regions from its own Redis. Thread-safe.
 */
public final class RegionBoard implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RegionBoard.class);

	private static final Duration FIRST = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private static final Duration KEPT = Duration.ofMinutes(3);

	private final String id = UUID.randomUUID().toString();

	private final RedisConnector home;

	private final Map<String, RedisConnector> peers;

	private final RedisKeys keys;

	private final String here;

	private final Supplier<String> limits;

	private final Map<String, Entry> read = new ConcurrentHashMap<>();

	private final Upkeep.Task rounds;

	/**
	 * Start to compare limits periodically.
	 * @param home the connection to the Redis of this region
	 * @param peers the connections to the Redis of each other region, by name
	 * @param prefix the start of all keys
	 * @param here the name of this region
	 * @param limits supplies a text that identifies the shared limits
	 * @param upkeep runs the periodic writes and reads
	 */
	public RegionBoard(RedisConnector home, Map<String, RedisConnector> peers, String prefix, String here,
			Supplier<String> limits, Upkeep upkeep) {
		this.home = home;
		this.peers = Map.copyOf(peers);
		this.keys = new RedisKeys(prefix, HashTag.SUBJECT);
		this.here = here;
		this.limits = limits;
		this.rounds = upkeep.start(FIRST, PAUSE, "Failed to compare the limits of regions", this::round);
	}

	private void round() {
		this.peers.forEach((name, peer) -> {
			write(peer, new Entry(digest(), this.id, name));
			read(name);
		});
		read(this.here);
	}

	private String digest() {
		return UUID.nameUUIDFromBytes(this.limits.get().getBytes(StandardCharsets.UTF_8)).toString();
	}

	private void write(RedisConnector peer, Entry entry) {
		CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
			.addKey(this.keys.region(this.here))
			.addValue(entry.toText().getBytes(StandardCharsets.UTF_8));
		SetArgs.Builder.px(KEPT).build(arguments);
		send(peer, CommandType.SET, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments);
	}

	private void read(String region) {
		send(this.home, CommandType.GET, new ValueOutput<>(ByteArrayCodec.INSTANCE),
				new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(this.keys.region(region)))
			.thenAccept((value) -> {
				if (value != null) {
					this.read.put(region, Entry.parse(new String(value, StandardCharsets.UTF_8)));
				}
				else {
					this.read.remove(region);
				}
			});
	}

	// A failure is only logged, because another round follows and other code reports
	// regions that do not respond.
	private static <T> CompletableFuture<T> send(RedisConnector connector, CommandType type,
			CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> arguments) {
		StatefulConnection<byte[], byte[]> connection = connector.connection();
		if (connection == null) {
			return new CompletableFuture<>();
		}
		AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(type, output, arguments));
		connection.dispatch(command);
		return command.toCompletableFuture().whenComplete((reply, failure) -> {
			if (failure != null) {
				logger.debug("Failed to compare the limits of regions", failure);
			}
		});
	}

	/**
	 * Return the reasons why limits cannot be shared.
	 * @return the reasons as sentences, in the order of the regions' names
	 */
	public List<String> problems() {
		List<String> problems = new ArrayList<>();
		Entry own = this.read.get(this.here);
		if (own != null && own.id().equals(this.id)) {
			problems.add("The Redis of the peer '" + own.peer() + "' is that of this region, so that each charge counts"
					+ " twice.");
		}
		this.peers.keySet().stream().sorted().forEach((peer) -> {
			Entry other = this.read.get(peer);
			if (other != null && !other.digest().equals(digest())) {
				problems.add("The region '" + peer + "' has other limits for rules with 'regions: shared', which count"
						+ " apart.");
			}
		});
		return problems;
	}

	@Override
	public void close() {
		this.rounds.close();
	}

	/**
	 * An entry that an instance has written.
	 *
	 * @param digest the digest of its shared limits
	 * @param id identifies the instance
	 * @param peer the name of the store that contains the entry
	 */
	private record Entry(String digest, String id, String peer) {

		static Entry parse(String text) {
			String[] parts = (text + "   ").split(" ", -1);
			return new Entry(parts[0], parts[1], parts[2]);
		}

		String toText() {
			return this.digest + " " + this.id + " " + this.peer;
		}

	}

}
