package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the threads that receive replies and that the guard monitors.
 */
@RedisTest
class ReplyThreadsTests {

	@Test
	void theThreadOfTheConnectionIsOneOfThem(TestRedis redis) throws Exception {
		try (RedisFixture fixture = RedisFixture.connected(redis)) {
			Collection<? extends Executor> threads = fixture.store().replyThreads();
			assertThat(threads).isNotEmpty();
			CountDownLatch run = new CountDownLatch(threads.size());
			threads.forEach((thread) -> thread.execute(run::countDown));
			assertThat(run.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

}
