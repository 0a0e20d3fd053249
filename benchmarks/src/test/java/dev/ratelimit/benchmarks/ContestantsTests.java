package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.Algorithms;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that each contestant limits. Otherwise, its figures would have no meaning.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContestantsTests {

	private RedisServer redis = new RedisServer(new RedisAddress("none", 0), null);

	@BeforeAll
	void startRedis() throws Exception {
		this.redis = RedisServer.obtain();
	}

	@AfterAll
	void stopRedis() {
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ping", "noop", "floor", "floor-memory", "ours", "bucket4j", "gateway", "redisson",
			"bucket4j-memory", "resilience4j" })
	void limits(String contestant) {
		Contestants.check(contestant, setup(Map.of()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void limitsWithAndWithoutLiveRules(boolean live) {
		try (LiveApplication application = LiveApplication.onRedis(this.redis.address(), "contestants-" + live, live,
				"2/h")) {
			assertThat(application.decideNow("alice")).isTrue();
			assertThat(application.decideNow("alice")).isTrue();
			assertThat(application.decideNow("alice")).isFalse();
		}
	}

	@Test
	void bucketOfWholeSecondsGivesNoTokenBackEarly() {
		Limit fivePerDay = new Limit(5, Duration.ofDays(1));
		assertThat(fivePerDay.unitsPerSecond()).isEqualTo(1);
		assertThat(fivePerDay.secondUnitsPerToken()).isEqualTo(86_400 / 5);
		Limit hot = Assignment.hot("any").setup(this.redis.address()).limit();
		assertThat(hot.unitsPerSecond()).isEqualTo(10_000_000);
		assertThat(hot.secondUnitsPerToken()).isEqualTo(1);
	}

	static Stream<Map<String, String>> options() {
		return Stream.concat(Algorithms.ids().stream().map((algorithm) -> Map.of("algorithm", algorithm)),
				Stream.of(Map.of("limits", "3"), Map.of("consistency", "auto"), Map.of("consistency", "leased"),
						Map.of("store", "memory"), Map.of("store", "memory", "rules", "100")));
	}

	@ParameterizedTest
	@MethodSource("options")
	void oursLimitsWithAnyOptions(Map<String, String> options) {
		Contestants.check("ours", setup(options));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ours-reactive", "ours-looking" })
	void oursLimitsHoweverItIsCalled(String contestant) {
		Contestants.check(contestant, setup(Map.of("store", "memory")));
	}

	@Test
	void oursReleasesSlots() throws Exception {
		Setup one = new Assignment("ours", new Limit(1, Duration.ofHours(1)),
				Map.of("algorithm", "concurrency", LimiterContestant.RELEASES, "true"))
			.setup(this.redis.address());
		try (Contestant ours = Contestants.open("ours", one)) {
			for (int i = 0; i < 3; i++) {
				assertThat(ours.decide("a").toCompletableFuture().get(10, TimeUnit.SECONDS)).isTrue();
			}
		}
	}

	@Test
	void checkFindsWhatDoesNotLimit() {
		Setup generous = setup(Map.of());
		assertThatThrownBy(() -> Contestants.check("floor-memory", generous, new Limit(7, Duration.ofDays(1))))
			.hasMessage("'floor-memory' allowed decision 6 at a limit of 5");
		assertThatThrownBy(() -> Contestants.check("floor-memory", generous, new Limit(2, Duration.ofDays(1))))
			.hasMessage("'floor-memory' rejected decision 3 at a limit of 5");
	}

	@Test
	void windowMeasuresWhatItSays() throws Exception {
		Setup setup = Assignment.hot("floor").setup(this.redis.address());
		try (Contestant floor = Contestants.open("floor", setup); RedisStats stats = new RedisStats(setup.redis())) {
			dev.ratelimit.benchmarks.report.Figures figures = new Window(floor, stats).measure(Load.loops(4, 10),
					Keys.create("w:", 10), Duration.ZERO, Duration.ofSeconds(3));
			assertThat(figures.of(dev.ratelimit.benchmarks.report.Metric.DECISIONS)).isPositive();
			// EVALSHA, and TIME, GET, and SET in it. The commands are counted for
			// slightly longer than the decisions.
			assertThat(figures.of(dev.ratelimit.benchmarks.report.Metric.COMMANDS)).isBetween(3.5, 6.0);
		}
	}

	private Setup setup(Map<String, String> options) {
		return Assignment.many("any").setup(this.redis.address()).withOptions(options);
	}

}
