package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An application's connection factory, and a connector and store made from it.
 */
final class RedisFixture implements AutoCloseable {

	static final String PREFIX = "rl:test";

	private final LettuceConnectionFactory application;

	private final RedisConnector connector;

	RedisFixture(TestRedis redis) {
		this(new LettuceConnectionFactory(redis.host(), redis.port()));
	}

	RedisFixture(TestCluster cluster) {
		this(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(cluster.addresses().split(",")))));
	}

	RedisFixture(TestFailoverCluster cluster) {
		this(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(cluster.addresses().split(",")))));
	}

	RedisFixture(TestSentinel group) {
		this(new LettuceConnectionFactory(
				new RedisSentinelConfiguration(TestSentinel.NAME, Set.of(group.addresses().split(",")))));
	}

	RedisFixture(FaultProxy proxy) {
		this(new LettuceConnectionFactory(proxy.host(), proxy.port()));
	}

	private RedisFixture(LettuceConnectionFactory application) {
		this.application = application;
		this.application.afterPropertiesSet();
		this.application.start();
		this.connector = new RedisConnector(this.application);
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
