package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests instances that change rules, candidates, switches, and bans on one Redis during
 * faults of all kinds. Afterwards, they must agree, and each confirmed change must be
 * active or replaced by a later one.
 */
@RedisTest
class ScheduleTests {

	/** The first seed. Set {@code -Dtest.seed=7} to repeat one schedule. */
	private static final long SEED = 20_261_124;

	private static final int MANY = Integer.getInteger("test.schedules", 1000);

	private static final int AT_ONCE = 12;

	@Test
	void confirmedChangeStaysActive(TestRedis redis) throws Exception {
		run(redis, 50);
	}

	@Test
	@Tag("long")
	@Tag("nightly")
	void confirmedChangeStaysActiveInManySchedules(TestRedis redis) throws Exception {
		run(redis, MANY);
	}

	private static void run(TestRedis redis, int count) throws InterruptedException {
		Long seed = Long.getLong("test.seed");
		long first = (seed != null) ? seed : SEED;
		long last = (seed != null) ? seed : SEED + count - 1;
		ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE);
		try {
			List<Future<Duration>> schedules = LongStream.rangeClosed(first, last)
				.mapToObj((each) -> executor.submit(() -> new Schedule(redis, each).run()))
				.toList();
			List<Duration> healing = new ArrayList<>();
			List<Throwable> failures = new ArrayList<>();
			for (Future<Duration> schedule : schedules) {
				try {
					healing.add(schedule.get());
				}
				catch (ExecutionException ex) {
					failures.add(ex.getCause());
				}
			}
			assertThat(failures).isEmpty();
			// Twelve schedules share the machine, so only the fastest of them shows the
			// delays of the instances themselves.
			assertThat(Collections.min(healing)).isLessThan(Duration.ofSeconds(2));
		}
		finally {
			executor.shutdownNow();
		}
	}

}
