package dev.ratelimit.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.fault.FaultTable.TableRow;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests two instances whose first requests all arrive at once, from one client. The
 * application has its default configuration, including the deadline.
 */
@Tag("scenario")
class ColdStartScenarioTests {

	private static final int AT_ONCE = 48;

	private static final int WAVES = 3;

	private static final int STARTS = Integer.getInteger("test.cold.starts", 3);

	/** The limit of the store plus the limit of each instance. */
	private static final int MOST_LIMITS = 3;

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "WEBFLUX" })
	void twoInstancesAllowNoMoreThanTheirLimits(Server server) throws IOException {
		start(server, 1);
	}

	@Tag("long")
	@ParameterizedTest
	@MethodSource("offered")
	void mostStartsAllowExactlyTheLimit(Server server) throws IOException {
		start(server, STARTS);
	}

	static List<Server> offered() {
		return Server.offered();
	}

	private static void start(Server server, int starts) throws IOException {
		List<List<Integer>> allowed = new ArrayList<>();
		for (int i = 0; i < starts; i++) {
			try (TestRedis redis = TestRedis.start()) {
				allowed.add(start(server, redis));
			}
		}
		FaultTable.add(new Row(server, allowed));
		assertThat(allowed).allSatisfy((waves) -> {
			// One unit may be refilled in the store and in each instance.
			assertThat(waves.stream().mapToInt(Integer::intValue).sum())
				.isLessThanOrEqualTo(MOST_LIMITS * (Crowd.LIMIT + 1));
			assertThat(waves.get(0)).isBetween(Crowd.LIMIT, MOST_LIMITS * Crowd.LIMIT);
		});
	}

	private static List<Integer> start(Server server, TestRedis redis) throws IOException {
		CompletableFuture<ChildProcess> other = CompletableFuture.supplyAsync(() -> Crowd.application(server, redis));
		try (ChildProcess one = Crowd.application(server, redis);
				ChildProcess two = other.join();
				Burst burst = new Burst(List.of(one.port(), two.port()), AT_ONCE)) {
			List<Integer> allowed = new ArrayList<>();
			for (int i = 0; i < WAVES; i++) {
				Tally wave = burst.wave(Crowd.FLOODED, "burst");
				assertThat(wave.failed()).isZero();
				allowed.add(wave.allowed());
			}
			return allowed;
		}
	}

	/**
	 * The allowed requests of each wave, for each start.
	 */
	private record Row(Server server, List<List<Integer>> allowed) implements TableRow {

		@Override
		public String head() {
			return """
					| 48 at once over two fresh instances, limit 10 | Exactly 10 | Allowed, by start: first, second and third wave |
					| --- | --- | --- |""";
		}

		@Override
		public String toString() {
			long exact = this.allowed.stream().filter((waves) -> waves.get(0) == Crowd.LIMIT).count();
			return "| %s | %d of %d | %s |".formatted(this.server, exact, this.allowed.size(), this.allowed);
		}

	}

}
