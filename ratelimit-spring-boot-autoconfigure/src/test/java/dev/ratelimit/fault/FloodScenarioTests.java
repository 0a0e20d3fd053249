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
 * Tests a client that sends requests as fast as possible over many connections, from the
 * start of an application, while other clients keep to their limits. The application has
 * its default configuration, including the deadline.
 */
@Tag("scenario")
class FloodScenarioTests {

	/** The duration of the flood with the most connections. */
	private static final Duration LONG = Duration.ofSeconds(Integer.getInteger("test.flood.seconds", 20));

	private static final Duration SHORT = (LONG.toSeconds() < 10) ? LONG : Duration.ofSeconds(10);

	/**
	 * The minimum percentage of counted requests. Use a lower value for a short flood on
	 * a busy machine.
	 */
	private static final double LEAST_COUNTED_PERCENT = Integer.getInteger("test.flood.counted", 99);

	/**
	 * If 200 threads share few cores, replies of the store wait for a processor, on a
	 * cold server for more than a second. These calls are late, and the instance counts
	 * them. Their number depends on the machine. On every machine, the store must count
	 * again during the flood.
	 */
	private static final Duration STORE_COUNTS_WITHIN = Duration.ofSeconds(60);

	/**
	 * The maximum median wait. Use a higher value for a short flood, because new
	 * connections wait behind those of the flood.
	 */
	private static final double LONGEST_MEDIAN_MILLIS = Integer.getInteger("test.flood.median.millis", 1000);

	/** The maximum time that clients wait for a response. */
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
		// Reactor Netty accepts connections between requests, so new connections wait for
		// those requests.
		if (server != Server.WEBFLUX) {
			assertThat(row.honest().waitMillis(1)).as("honest: %s", row.honest()).isLessThan(TIMEOUT_MILLIS);
		}
	}

	// SERVLET is excluded, because its 200 threads delay some calls. On a busy machine,
	// more calls are late.
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
