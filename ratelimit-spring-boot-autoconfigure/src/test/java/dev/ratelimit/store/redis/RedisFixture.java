package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.CallSizes;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.slot.SlottedLimitStore;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.awaitility.Awaitility;

/**
 * Creates a connector, and stores that use it, as a user with the least permissions.
 */
final class RedisFixture implements AutoCloseable {

	static final String PREFIX = "rl:test";

	private final RedisConnector connector;

	RedisFixture(TestRedis redis) {
		this(redis, RedisRights.ON_SERVER.user(), RedisRights.PASSWORD);
	}

	RedisFixture(TestRedis redis, String user, String password) {
		this(LiveConnection.settings(withUser(RedisURI.create(redis.host(), redis.port()), user, password)));
	}

	RedisFixture(FaultProxy proxy) {
		this(LiveConnection
			.settings(withLeastRights(RedisURI.create(proxy.host(), proxy.port()), RedisRights.ON_SERVER)));
	}

	RedisFixture(TestSentinel group) {
		this(settings(group));
	}

	RedisFixture(TestCluster cluster) {
		this(cluster(cluster.addresses()));
	}

	RedisFixture(TestFailoverCluster cluster) {
		this(cluster(cluster.addresses()));
	}

	RedisFixture(RedisConnectionSettings settings) {
		this.connector = new RedisConnector(settings);
	}

	static RedisConnectionSettings settings(TestSentinel group) {
		return LiveConnection.settings(withLeastRights(sentinels(group), RedisRights.ON_SERVER));
	}

	private static RedisURI sentinels(TestSentinel group) {
		RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(TestSentinel.NAME);
		addresses(group.addresses()).forEach(builder::withSentinel);
		return builder.build();
	}

	private static RedisConnectionSettings cluster(String nodes) {
		return new RedisConnectionSettings(
				addresses(nodes).map((node) -> withLeastRights(node, RedisRights.ON_CLUSTER)).toList(), true,
				ClusterClientOptions.create(), Optional.empty());
	}

	private static Stream<RedisURI> addresses(String joined) {
		return Stream.of(joined.split(",")).map((node) -> RedisURI.create("redis://" + node));
	}

	private static RedisURI withLeastRights(RedisURI server, RedisRights rights) {
		return withUser(server, rights.user(), RedisRights.PASSWORD);
	}

	private static RedisURI withUser(RedisURI server, String user, String password) {
		if (!user.isEmpty()) {
			server.setAuthentication(user, password);
		}
		return server;
	}

	/**
	 * Return a fixture that is already connected.
	 */
	static RedisFixture connected(TestRedis redis) {
		return new RedisFixture(redis).connected();
	}

	/**
	 * Return a fixture that is already connected to a cluster.
	 */
	static RedisFixture connected(TestCluster cluster) {
		return new RedisFixture(cluster).connected();
	}

	// The first connection of a JVM loads the classes of the client. On a busy machine,
	// this takes longer than the connection timeout of one second. Lettuce returns a
	// connection slightly before it accepts commands.
	RedisFixture connected() {
		Awaitility.await().ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
			this.connector.connected();
			return answers();
		});
		return this;
	}

	private boolean answers() {
		try {
			return !(this.connector.connected() instanceof StatefulRedisConnection<?, ?> server)
					|| !server.sync().ping().isEmpty();
		}
		catch (RedisCommandExecutionException ex) {
			// The server has replied, although the user may not send this command.
			return true;
		}
	}

	RedisConnector connector() {
		return this.connector;
	}

	/**
	 * Return a store with the clock of the server.
	 */
	RedisLimitStore store() {
		return store(HashTag.SUBJECT);
	}

	/**
	 * Return a store with the clock of the server and another hash tag.
	 */
	RedisLimitStore store(HashTag hashTag) {
		return new RedisLimitStore(this.connector, PREFIX, hashTag, RedisClock.SERVER, InstantSource.system(),
				Time.SYSTEM, new RuleFailures(Time.SYSTEM), new CallSizes());
	}

	/**
	 * Return a store with the clock of the instance.
	 */
	RedisLimitStore store(LongSupplier clock) {
		return store(clock, 0);
	}

	/**
	 * Return the store of an instance, with the clock of the instance.
	 */
	RedisLimitStore store(LongSupplier clock, long holder) {
		return store(clock, holder,
				RedisLimitStore.calls(this.connector, RedisClock.CLIENT, Time.SYSTEM, new CallSizes()));
	}

	/**
	 * Return the store of an instance, with the clock of the instance, whose calls are
	 * joined with other calls.
	 */
	RedisLimitStore joined(LongSupplier clock) {
		return store(clock, 0, new JoinedCalls(this.connector));
	}

	private RedisLimitStore store(LongSupplier clock, long holder, ScriptCalls calls) {
		return new RedisLimitStore(this.connector, PREFIX, HashTag.SUBJECT, RedisClock.CLIENT,
				() -> Instant.ofEpochSecond(LimitCalculator.EPOCH_SECONDS).plusMillis(clock.getAsLong()), Time.SYSTEM,
				new RuleFailures(Time.SYSTEM), holder, calls);
	}

	/**
	 * Return a store on a cluster, for requests on any slots, with the clock of the
	 * instance.
	 */
	StoreStage spanning(LongSupplier clock) {
		return spanning(store(clock));
	}

	/**
	 * Return a store on a cluster, for requests on any slots, with the clocks of the
	 * servers.
	 */
	StoreStage spanning(HashTag hashTag) {
		return spanning(store(hashTag));
	}

	private static StoreStage spanning(RedisLimitStore perSlot) {
		return new SlottedLimitStore(perSlot, perSlot.slots().orElseThrow(), Time.SYSTEM);
	}

	static void check(RedisLimitStore store) {
		store.nodes().forEach((node) -> store.check(node, Duration.ofSeconds(1)));
	}

	@Override
	public void close() {
		this.connector.close();
	}

}
