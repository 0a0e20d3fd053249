package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.api.StatefulConnection;

/**
 * Internal: keys that are not buckets, of all instances together, for other packages:
 * {@code <prefix>:{<tag>}:<label>}. They share a slot. Immutable.
 */
public final class SharedKeys {

	private final RedisConnector connector;

	private final RedisKeys keys;

	private final String tag;

	private final RedisClock clock;

	private final InstantSource system;

	/**
	 * Keys with the same hash tag.
	 * @param connector the connection
	 * @param prefix what the keys of the application start with
	 * @param tag the hash tag
	 * @param clock the clock that scripts use
	 * @param system this instance's clock
	 */
	public SharedKeys(RedisConnector connector, String prefix, String tag, RedisClock clock, InstantSource system) {
		this.connector = connector;
		this.keys = new RedisKeys(prefix, HashTag.SUBJECT);
		this.tag = tag;
		this.clock = clock;
		this.system = system;
	}

	/**
	 * A script.
	 * @param resources the files that it is put together from, after the clock
	 * @param labels the keys that it is given
	 * @return the script
	 */
	public SharedScript script(List<String> resources, String... labels) {
		byte[][] names = Stream.of(labels).map(this::key).toArray(byte[][]::new);
		return new SharedScript(this.connector, LuaScript.shared(this.clock, resources), names,
				(this.clock == RedisClock.CLIENT) ? this.system : null);
	}

	/**
	 * The connection of decisions, for commands that are short.
	 * @return the connection, which closing leaves open
	 * @throws StoreException if there is none
	 */
	public SharedSession decisions() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		if (connection == null) {
			throw new StoreException(StoreException.Kind.CONNECTION, "not connected yet", null);
		}
		return new SharedSession(connection, this::key, false);
	}

	/**
	 * Open a connection for commands that are long and would hold up decisions. Blocks,
	 * for about a second at most.
	 * @return the connection
	 * @throws StoreException if Redis is unavailable
	 */
	public SharedSession open() {
		try {
			return new SharedSession(this.connector.openBriefly(), this::key, true);
		}
		catch (RuntimeException ex) {
			throw RedisFailures.translate(ex);
		}
	}

	private byte[] key(String label) {
		return this.keys.shared(this.tag, label);
	}

}
