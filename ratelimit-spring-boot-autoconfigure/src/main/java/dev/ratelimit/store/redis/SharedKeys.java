package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.store.StoreException;
import io.lettuce.core.api.StatefulConnection;

/**
 * Internal: keys for other packages, which contain no buckets and which all instances
 * share: {@code <prefix>:{<tag>}:<label>}. All of them are in one slot. Immutable.
 */
public final class SharedKeys {

	private final RedisConnector connector;

	private final RedisKeys keys;

	private final String tag;

	private final RedisClock clock;

	private final InstantSource system;

	/**
	 * Create keys with the same hash tag.
	 * @param connector the connection
	 * @param prefix the prefix of the application's keys
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
	 * Create a script.
	 * @param resources the files that the script consists of, after the clock
	 * @param labels the labels of its keys
	 * @return the script
	 */
	public SharedScript script(List<String> resources, String... labels) {
		byte[][] names = Stream.of(labels).map(this::key).toArray(byte[][]::new);
		return new SharedScript(this.connector, LuaScript.shared(this.clock, resources), names,
				(this.clock == RedisClock.CLIENT) ? this.system : null);
	}

	/**
	 * Return the connection for decisions, for short commands.
	 * @return the connection, which remains open when the session is closed
	 * @throws StoreException if there is no connection
	 */
	public SharedSession decisions() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		if (connection == null) {
			throw new StoreException(StoreException.Kind.CONNECTION, "not connected yet", null);
		}
		return new SharedSession(connection, this::key, false);
	}

	/**
	 * Open a connection for long commands that would delay decisions. Blocks, for about
	 * two seconds at most.
	 * @return the connection
	 * @throws StoreException if Redis is unavailable
	 */
	public SharedSession open() {
		try {
			return openOnce();
		}
		catch (StoreException ex) {
			if (ex.kind() != StoreException.Kind.TIMEOUT) {
				throw ex;
			}
			// A busy instance may be late to read the first reply of the server.
			return openOnce();
		}
	}

	private SharedSession openOnce() {
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
