package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: counts the instances that share the limits. Each instance reports every few
 * seconds that it is running. While Redis does not respond, the last count remains.
 * Thread-safe.
 */
public final class InstanceRegistry implements IntSupplier, AutoCloseable {

	private static final Log logger = LogFactory.getLog(InstanceRegistry.class);

	private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

	/** An instance that misses two heartbeats still counts. */
	private static final byte[] FORGOTTEN_MILLIS = EncodedFamily.encode(3 * HEARTBEAT_INTERVAL.toMillis());

	private static final byte[] LEAVES = EncodedFamily.encode(0);

	private static final long TIMEOUT_MILLIS = 200;

	private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);

	private final RedisLuaExecutor executor;

	private final byte[][] key;

	private final LuaScript script;

	private final RedisClock clock;

	private final InstantSource system;

	private final int least;

	private final Upkeep upkeep;

	private volatile Upkeep.@Nullable Task beats;

	private volatile int instances;

	/**
	 * Count the instances of an application.
	 * @param connector the connection
	 * @param prefix the prefix of the application's keys
	 * @param clock the clock that the registry uses
	 * @param system this instance's clock
	 * @param least the minimum count, even if fewer instances are registered
	 * @param upkeep runs the reports of this instance
	 */
	public InstanceRegistry(RedisConnector connector, String prefix, RedisClock clock, InstantSource system, int least,
			Upkeep upkeep) {
		this.executor = new RedisLuaExecutor(connector::connection);
		this.key = new byte[][] { new RedisKeys(prefix, HashTag.SUBJECT).instances() };
		this.script = LuaScript.instances(clock);
		this.clock = clock;
		this.system = system;
		this.least = least;
		this.instances = least;
		this.upkeep = upkeep;
	}

	/**
	 * Start to report that this instance is running.
	 */
	public void join() {
		this.beats = this.upkeep.start(Duration.ZERO, HEARTBEAT_INTERVAL, "Failed to count the instances", this::beat);
	}

	/**
	 * Return the number of instances in the last response of Redis.
	 * @return the count, at least the minimum
	 */
	@Override
	public int getAsInt() {
		return this.instances;
	}

	void beat() {
		report(FORGOTTEN_MILLIS).whenComplete((reply, failure) -> {
			if (failure != null) {
				logger.debug("Failed to count the instances", failure);
			}
			else {
				this.instances = (int) Math.max(this.least, reply[1]);
			}
		});
	}

	private CompletableFuture<long[]> report(byte[] what) {
		byte[][] arguments = (this.clock == RedisClock.SERVER) ? new byte[][] { this.id, what }
				: new byte[][] { this.id, what, EncodedFamily.encode(ServerClock.millisOf(this.system)) };
		return this.executor.run(new ScriptCall(this.script, this.key, arguments));
	}

	@Override
	public void close() {
		Upkeep.Task running = this.beats;
		if (running != null) {
			running.close();
		}
		try {
			report(LEAVES).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Failed to sign off this instance; its entry expires later", ex);
		}
	}

}
