package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One client sends requests as fast as it can over many connections, from the first
 * moment of an application on, and others keep to their limits beside it. In the default
 * configuration: no deadline is raised.
 */
@Tag("scenario")
class FloodScenarioTests {

	/** Of the flood with most connections. */
	private static final Duration LONG = Duration.ofSeconds(Integer.getInteger("test.flood.seconds", 20));

	private static final Duration SHORT = (LONG.toSeconds() < 10) ? LONG : Duration.ofSeconds(10);

	/** Less on machines that others keep busy, where a flood is short. */
	private static final double LEAST_COUNTED_PERCENT = Integer.getInteger("test.flood.counted", 99);

	/**
	 * Where 200 threads share few cores, an answer of the store waits until its turn, in
	 * the first seconds of a cold server for more than a second: those calls are late for
	 * that alone, and are counted by the instance. How many depends on the machine. What
	 * does not: the store counts again while the flood lasts.
	 */
	private static final Duration STORE_COUNTS_WITHIN = Duration.ofSeconds(60);

	/** More where a flood is short: new connections wait behind those of the flood. */
	private static final double LONGEST_MEDIAN_MILLIS = Integer.getInteger("test.flood.median.millis", 1000);

	/** How long clients wait for an answer. */
	private static final double TIMEOUT_MILLIS = 10_000;

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	static List<Server> offered() {
		return Server.offered();
	}

	static List<Server> offeredAndTuned() {
		return Server.offeredAndTuned();
	}

	@ParameterizedTest
	@MethodSource("offered")
	void aFloodOver256ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		run(server, 256, SHORT);
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offered")
	void aFloodOver32ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		assertNearlyAllAreCounted(server, run(server, 32, SHORT));
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offeredAndTuned")
	void aLongFloodOver1000ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		ScenarioRow row = run(server, 1000, LONG);
		assertNearlyAllAreCounted(server, row);
		assertThat(row.honest().waitMillis(0.5)).as("honest: %s", row.honest()).isLessThan(LONGEST_MEDIAN_MILLIS);
		// It accepts connections between requests, so that new ones wait for those.
		if (server != Server.WEBFLUX) {
			assertThat(row.honest().waitMillis(1)).as("honest: %s", row.honest()).isLessThan(TIMEOUT_MILLIS);
		}
	}

	// On a machine that is busy with something else, more calls are late.
	private static void assertNearlyAllAreCounted(Server server, ScenarioRow row) {
		if (server != Server.SERVLET) {
			assertThat(row.honest().countedPercent()).as("honest: %s", row.honest())
				.isGreaterThanOrEqualTo(LEAST_COUNTED_PERCENT);
			assertThat(row.logins().countedPercent()).as("logins: %s", row.logins())
				.isGreaterThanOrEqualTo(LEAST_COUNTED_PERCENT);
		}
	}

	private static ScenarioRow run(Server server, int connections, Duration duration) {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = Crowd.application(server, redis);
				Crowd crowd = Crowd.of(child, connections)) {
			crowd.lasts(duration);
			boolean counts = crowd.lastsUntilCounted(STORE_COUNTS_WITHIN);
			ScenarioRow row = crowd.end("flood, " + connections + " connections, " + duration.toSeconds() + " s",
					server);
			Bars.check(row);
			Bars.checkAllIsCharged(crowd);
			assertThat(counts).as("the store counts: honest %s, logins %s", row.honest(), row.logins()).isTrue();
			return row;
		}
	}

}
