package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a slow Redis during a flood. The application has its default configuration,
 * including the deadline.
 */
@Tag("scenario")
@Tag("long")
class SlowRedisScenarioTests {

	private static final String BUSY_SECONDS = "0.2";

	private static final Duration BUSY_FOR = Duration.ofSeconds(5);

	private static final Duration STOPPED_FOR = Duration.ofSeconds(5);

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	static List<Server> offered() {
		return Server.offered();
	}

	@ParameterizedTest
	@MethodSource("offered")
	void redisThatIsBusyAgainAndAgainSwitchesNoLimitOff(Server server) {
		try (TestRedis redis = startDebuggable();
				ChildProcess child = Crowd.application(server, redis);
				Crowd crowd = Crowd.of(child, 16)) {
			keepBusy(redis, crowd);
			Bars.check(crowd.end("Redis busy for 200 ms again and again", server));
		}
	}

	private static void keepBusy(TestRedis redis, Crowd crowd) {
		ScheduledExecutorService busy = Executors.newSingleThreadScheduledExecutor();
		try {
			ScheduledFuture<?> sleeps = busy.scheduleWithFixedDelay(() -> redis.command("DEBUG", "SLEEP", BUSY_SECONDS),
					0, 100, TimeUnit.MILLISECONDS);
			crowd.lasts(BUSY_FOR);
			// The executor would stop after the first failed command.
			assertThat(sleeps.isDone()).isFalse();
		}
		finally {
			busy.shutdown();
		}
	}

	@ParameterizedTest
	@MethodSource("offered")
	void redisThatStandsStillSwitchesNoLimitOff(Server server) {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = Crowd.application(server, redis);
				Crowd crowd = Crowd.of(child, 256)) {
			crowd.lasts(Duration.ofSeconds(1));
			redis.pause();
			crowd.lasts(STOPPED_FOR);
			redis.resume();
			crowd.lasts(Duration.ofSeconds(2));
			Bars.check(crowd.end("Redis stopped for 5 s, 256 connections", server));
			Bars.checkAllIsCharged(crowd);
		}
	}

	// Newer servers require this argument, and older ones do not support it.
	private static TestRedis startDebuggable() {
		TestRedis redis = TestRedis.start();
		if (Integer.parseInt(redis.info("redis_version").split("\\.")[0]) < 7) {
			return redis;
		}
		redis.close();
		return TestRedis.start("--enable-debug-command", "yes");
	}

}
