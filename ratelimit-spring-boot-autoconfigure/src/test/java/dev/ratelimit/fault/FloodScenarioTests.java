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
 * One caller asks as fast as it can over many connections, from the first moment of an
 * application on, and others keep to their limits beside it. In the default
 * configuration: no deadline is raised.
 */
@Tag("redis")
class FloodScenarioTests {

	/** Of the flood with most connections. */
	private static final Duration LONG = Duration.ofSeconds(Integer.getInteger("test.flood.seconds", 45));

	private static final Duration SHORT = Duration.ofSeconds(10);

	private static final double LEAST_COUNTED_PERCENT = 95;

	/**
	 * A short flood is mostly the first seconds of a cold server: on servlet stacks, 200
	 * threads share the cores, and some calls are late for that alone.
	 */
	private static final double LEAST_COUNTED_PERCENT_WHEN_COLD = 75;

	private static final double LONGEST_MEDIAN_MILLIS = 1000;

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	static List<Server> offered() {
		return Server.offered();
	}

	@ParameterizedTest
	@MethodSource("offered")
	void aFloodOver256ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		run(server, 256, SHORT, LEAST_COUNTED_PERCENT_WHEN_COLD);
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offered")
	void aFloodOver32ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		run(server, 32, SHORT, LEAST_COUNTED_PERCENT_WHEN_COLD);
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offered")
	void aLongFloodOver1000ConnectionsMeetsItsLimitAndNobodyElseDoes(Server server) {
		ScenarioRow row = run(server, 1000, LONG, LEAST_COUNTED_PERCENT);
		assertThat(row.honest().waitMillis(0.5)).as("honest: %s", row.honest()).isLessThan(LONGEST_MEDIAN_MILLIS);
	}

	private static ScenarioRow run(Server server, int connections, Duration duration, double leastPercent) {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = Crowd.application(server, redis);
				Crowd crowd = Crowd.of(child, connections)) {
			crowd.lasts(duration);
			ScenarioRow row = crowd.end("flood, " + connections + " connections, " + duration.toSeconds() + " s",
					server);
			Bars.check(row);
			assertThat(row.honest().countedPercent()).as("honest: %s", row.honest())
				.isGreaterThanOrEqualTo(leastPercent);
			assertThat(row.logins().countedPercent()).as("logins: %s", row.logins())
				.isGreaterThanOrEqualTo(leastPercent);
			return row;
		}
	}

}
