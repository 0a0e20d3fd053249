package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
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
		RedisFixture fixture = new RedisFixture(redis);
		fixture.connector.connect();
		return fixture;
	}

	/**
	 * A fixture that is connected already to a cluster.
	 */
	static RedisFixture connected(TestCluster cluster) {
		RedisFixture fixture = new RedisFixture(cluster);
		fixture.connector.connect();
		return fixture;
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
		return new RedisLimitStore(this.connector, PREFIX, hashTag, RedisClock.SERVER);
	}

	/**
	 * A store that goes by the caller's clock.
	 */
	RedisLimitStore store(LongSupplier clock) {
		return new RedisLimitStore(this.connector, PREFIX, HashTag.SUBJECT, clock);
	}

	/**
	 * A store on a cluster, for demands on any slots, that goes by the caller's clock.
	 */
	LimitStore spanning(LongSupplier clock) {
		RedisLimitStore perSlot = store(clock);
		return perSlot.acrossSlots(perSlot);
	}

	/**
	 * A store on a cluster, for demands on any slots, that goes by the servers' clocks.
	 */
	LimitStore spanning(HashTag hashTag) {
		RedisLimitStore perSlot = store(hashTag);
		return perSlot.acrossSlots(perSlot);
	}

	static void check(RedisLimitStore store) {
		store.nodes().forEach((node) -> store.check(node, Duration.ofSeconds(1)));
	}

	@Override
	public void close() {
		this.connector.close();
		this.application.destroy();
	}

}
