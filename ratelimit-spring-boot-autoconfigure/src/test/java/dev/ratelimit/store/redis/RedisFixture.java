package dev.ratelimit.store.redis;

import java.util.Set;
import java.util.function.LongSupplier;

import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An application's connection factory, and a connector and store made from it. It
 * connects as a user with the least rights.
 */
final class RedisFixture implements AutoCloseable {

	static final String PREFIX = "rl:test";

	private final LettuceConnectionFactory application;

	private final RedisConnector connector;

	RedisFixture(TestRedis redis) {
		this(redis, RedisRights.ON_SERVER.user(), RedisRights.PASSWORD);
	}

	RedisFixture(TestRedis redis, String user, String password) {
		this(new LettuceConnectionFactory(
				withUser(new RedisStandaloneConfiguration(redis.host(), redis.port()), user, password)));
	}

	RedisFixture(FaultProxy proxy) {
		this(new LettuceConnectionFactory(
				withLeastRights(new RedisStandaloneConfiguration(proxy.host(), proxy.port()), RedisRights.ON_SERVER)));
	}

	RedisFixture(TestSentinel group) {
		this(new LettuceConnectionFactory(
				withLeastRights(new RedisSentinelConfiguration(TestSentinel.NAME, addresses(group.addresses())),
						RedisRights.ON_SERVER)));
	}

	RedisFixture(TestCluster cluster) {
		this(new LettuceConnectionFactory(withLeastRights(new RedisClusterConfiguration(addresses(cluster.addresses())),
				RedisRights.ON_CLUSTER)));
	}

	RedisFixture(TestFailoverCluster cluster) {
		this(new LettuceConnectionFactory(withLeastRights(new RedisClusterConfiguration(addresses(cluster.addresses())),
				RedisRights.ON_CLUSTER)));
	}

	private RedisFixture(LettuceConnectionFactory application) {
		this.application = application;
		this.application.afterPropertiesSet();
		this.application.start();
		this.connector = new RedisConnector(this.application);
	}

	private static Set<String> addresses(String joined) {
		return Set.of(joined.split(","));
	}

	private static <C extends RedisConfiguration.WithAuthentication> C withLeastRights(C server, RedisRights rights) {
		return withUser(server, rights.user(), RedisRights.PASSWORD);
	}

	private static <C extends RedisConfiguration.WithAuthentication> C withUser(C server, String user,
			String password) {
		server.setUsername(user);
		server.setPassword(password);
		return server;
	}

	/**
	 * A fixture that is connected already.
	 */
	static RedisFixture connected(TestRedis redis) {
		return new RedisFixture(redis).connected();
	}

	/**
	 * A fixture that is connected already to a cluster.
	 */
	static RedisFixture connected(TestCluster cluster) {
		return new RedisFixture(cluster).connected();
	}

	RedisFixture connected() {
		this.connector.connect();
		return this;
	}

	RedisConnector connector() {
		return this.connector;
	}

	/**
	 * A store that goes by the server's clock.
	 */
	RedisLimitStore store() {
		return new RedisLimitStore(this.connector, PREFIX);
	}

	/**
	 * A store that goes by the server's clock, with another hash tag.
	 */
	RedisLimitStore store(HashTag hashTag) {
		return new RedisLimitStore(this.connector, PREFIX, hashTag);
	}

	/**
	 * A store that goes by the caller's clock.
	 */
	RedisLimitStore store(LongSupplier clock) {
		return new RedisLimitStore(this.connector, PREFIX, HashTag.SUBJECT, clock);
	}

	@Override
	public void close() {
		this.connector.close();
		this.application.destroy();
	}

}
