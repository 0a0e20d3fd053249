package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreUnderTest;
import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Base class for tests of a store on the shared cluster, with a clock that the test sets.
 */
@Tag("redis")
abstract class AbstractClusterStoreTests implements StoreUnderTest {

	static final long TODAY = 60_000_000_000L;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final LimitStore store = fixture.spanning(this.clock::get);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestCluster.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	static LimitStore store(HashTag tag) {
		return fixture.spanning(tag);
	}

	@BeforeEach
	void learnScripts() {
		ClusterSubjects.learnScripts(this.store);
	}

	@Override
	public LimitStore store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		ClusterSubjects.awaitQuiet(this.store);
		return TestCluster.shared().keys("rl:test:*").size();
	}

}
