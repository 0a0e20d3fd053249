package dev.ratelimit.store.redis;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.CalendarWindow.Unit;
import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Parallel;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests limits with calendar windows across clock changes and restarts.
 */
@Tag("redis")
class CalendarQuotaTests {

	private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

	private final AtomicLong clock = new AtomicLong();

	private static BucketFamily family(long quantity, Unit unit, ZoneId zone) {
		CalendarWindow window = new CalendarWindow(unit, zone);
		return Demands.family("quota",
				new Limit("fixed-window", quantity, unit.duration(), quantity, 0, Optional.of(window), false));
	}

	private static boolean allows(LimitStore store, BucketFamily family) {
		return store.acquire(Demands.of(Demands.charge(family, "ann", 1))).join().allowed();
	}

	private static Verdict look(LimitStore store, BucketFamily family) {
		return store.acquire(Demands.of(Demands.charge(family, "ann", 0))).join().verdicts().get(0);
	}

	@Test
	void eachWeekBeginsOnMondayInRedisAsInMemory() {
		BucketFamily family = family(3, Unit.WEEK, PARIS);
		try (TestRedis server = TestRedis.start(); RedisFixture fixture = RedisFixture.connected(server)) {
			LimitStore redis = fixture.store(this.clock::get);
			LimitStore memory = new MemoryLimitStore(100, this.clock::get);
			LocalDate monday = LocalDate.of(2026, 1, 5);
			assertThat(monday.getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
			for (int week = 0; week < 53; week++) {
				long begins = midnight(monday.plusWeeks(week));
				long ends = midnight(monday.plusWeeks(week + 1));
				// Redis would delete a key that is written at the end of the week.
				for (long at : new long[] { begins, begins + (ends - begins) / 3, begins + (ends - begins) / 2 }) {
					this.clock.set(at);
					for (LimitStore store : List.of(redis, memory)) {
						assertThat(allows(store, family)).isTrue();
						assertThat(look(store, family).resetAfter()).contains(Duration.ofMillis(ends - at));
					}
				}
				this.clock.set(ends - 1);
				for (LimitStore store : List.of(redis, memory)) {
					assertThat(look(store, family).resetAfter()).contains(Duration.ofMillis(1));
					assertThat(allows(store, family)).isFalse();
					assertThat(look(store, family).remaining()).isZero();
				}
			}
		}
	}

	private static long midnight(LocalDate day) {
		return millis(day.atStartOfDay(PARIS).toInstant());
	}

	// Convert a time to the format of the stores.
	private static long millis(Instant time) {
		return time.minusSeconds(LimitCalculator.EPOCH_SECONDS).toEpochMilli();
	}

	@Test
	void aQuotaIsExactOverARestartAndTheEndOfTheMonth() {
		BucketFamily family = family(1_000, Unit.MONTH, ZoneOffset.UTC);
		try (TestRedis server = TestRedis.start(TestRedis.APPENDING);
				RedisFixture one = RedisFixture.connected(server);
				RedisFixture other = RedisFixture.connected(server)) {
			List<LimitStore> instances = List.of(one.store(this.clock::get), other.store(this.clock::get));
			this.clock.set(millis(Instant.parse("2026-02-28T23:00:00Z")));
			assertThat(allowedOf(350, instances, family)).isEqualTo(700);
			server.kill();
			server.restart();
			instances.forEach((store) -> Awaitility.await()
				.ignoreExceptionsInstanceOf(CompletionException.class)
				.untilAsserted(() -> assertThat(look(store, family).remaining()).isEqualTo(300)));
			assertThat(allowedOf(350, instances, family)).isEqualTo(300);
			this.clock.addAndGet(3_599_999);
			assertThat(allowedOf(10, instances, family)).isZero();
			this.clock.addAndGet(1);
			assertThat(allows(instances.get(0), family)).isTrue();
			assertThat(look(instances.get(1), family).resetAfter()).contains(Duration.ofDays(31));
			assertThat(allowedOf(600, instances, family)).isEqualTo(999);
		}
	}

	// Call both instances concurrently and count the allowed requests.
	private static long allowedOf(int each, List<LimitStore> instances, BucketFamily family) {
		return Parallel.run(instances.size(),
				(instance) -> LongStream.range(0, each).filter((i) -> allows(instances.get(instance), family)).count())
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

}
