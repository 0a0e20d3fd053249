package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application that delays itself during a flood while Redis is healthy. The
 * application has its default configuration, including the deadline.
 */
@Tag("scenario")
class StarvedScenarioTests {

	private static final int BUSY_THREADS_PER_CORE = 2;

	private static final int CONNECTIONS = 32;

	private static final Duration LASTS = Duration.ofSeconds(5);

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	static List<Server> offered() {
		return Server.offered();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "WEBFLUX" })
	void busyThreadsSwitchNoLimitOffAndDoNotCountAgainstRedis(Server server) {
		ScenarioRow row = run(server, "busy " + BUSY_THREADS_PER_CORE * Runtime.getRuntime().availableProcessors(),
				"CPU taken by busy threads");
		// Redis is considered unavailable only after a whole second without a reply.
		assertThat(row.strain().outages()).isLessThanOrEqualTo(1);
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offered")
	void aBusyCollectorSwitchesNoLimitOff(Server server) {
		ScenarioRow row = run(server, "garbage", "busy garbage collector");
		assertThat(row.strain().collectionMillis()).as("the collector was busy").isGreaterThan(LASTS.toMillis() / 10);
	}

	private static ScenarioRow run(Server server, String stress, String scenario) {
		try (TestRedis redis = TestRedis.start(); ChildProcess child = Crowd.application(server, redis)) {
			child.call(stress);
			try (Crowd crowd = Crowd.of(child, CONNECTIONS)) {
				crowd.lasts(LASTS);
				ScenarioRow row = crowd.end(scenario, server);
				Bars.check(row);
				return row;
			}
		}
	}

}
