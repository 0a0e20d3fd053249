package dev.ratelimit.fault;

import java.util.Locale;

import dev.ratelimit.fault.ChildProcess.Footprint;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a million random keys with little memory.
 */
@Tag("scenario")
@Tag("long")
class KeyFloodTests {

	private static final int KEYS = 1_000_000;

	/** The maximum usage of a heap of 256 MiB. */
	private static final long ROOM = 220L << 20;

	@Test
	void inMemory() {
		try (ChildProcess child = ChildProcess.start("--ratelimit.store=memory")) {
			flood("in memory", child, "closed");
		}
	}

	@Test
	void localSharesApplyWhileRedisIsUnavailable() {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = ChildProcess.start(Instance.redis(redis.host(), redis.port()))) {
			redis.kill();
			child.call("flood local 100");
			flood("on local shares", child, "local");
		}
	}

	@Test
	void inRedisEveryKeyVanishesByItself() {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = ChildProcess.start(Instance.redis(redis.host(), redis.port()))) {
			long allowed = Long.parseLong(child.call("flood closed 20000"));
			long keys = Long.parseLong(redis.command("DBSIZE"));
			assertThat(keys).isGreaterThanOrEqualTo(allowed).isGreaterThan(10_000);
			assertThat(redis.info("db0")).contains("keys=" + keys + ",expires=" + keys);
			System.out.println("In Redis: " + keys + " keys, " + redis.info("used_memory_dataset"));
		}
	}

	private static void flood(String where, ChildProcess child, String rule) {
		Footprint before = child.footprint();
		long allowed = Long.parseLong(child.call("flood " + rule + " " + KEYS));
		Footprint after = child.footprint();
		System.out.println(String.format(Locale.ROOT, "%d keys %s: heap %d MiB before, %d MiB after, %d bytes a key",
				KEYS, where, before.heap() >> 20, after.heap() >> 20, (after.heap() - before.heap()) / KEYS));
		assertThat(allowed).isEqualTo(KEYS);
		assertThat(after.heap()).isLessThan(ROOM);
	}

}
