package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.LimitStoreContract;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@RedisClusterTest
class RedisClusterLimitStoreTests implements LimitStoreContract {

	private static final long TODAY = 60_000_000_000L;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final RedisLimitStore store = fixture.store(this.clock::get);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestCluster.shared());
		ClusterSubjects.learnScripts(fixture.store(() -> TODAY));
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	@Override
	public RedisLimitStore store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		ClusterSubjects.awaitQuiet(this.store);
		return TestCluster.shared().keys("*").size();
	}

}
