package dev.ratelimit.load;

import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the limit in simulations that send requests to a backend and shed requests
 * without a seat immediately. C is the capacity of the backend.
 */
class AdaptiveLimitTests {

	/** The simulated time: a day, unless the build sets fewer hours. */
	private static final int HOURS = Integer.getInteger("test.limit.hours", 24);

	private static final int SERVERS = 32;

	private static final double MILLIS = 20;

	private static final double SIGMA = 0.5;

	/** The 99th percentile of service times. */
	private static final double P99 = MILLIS * Math.exp(2.326 * SIGMA - SIGMA * SIGMA / 2);

	private static final double C = SERVERS / MILLIS * 1000;

	@ParameterizedTest
	@EnumSource
	void servesTheCapacityAtThreeTimesTheLoad(Order order) {
		LimitSimulation run = run(order, 30, (load) -> load.rate = (time) -> 3 * C);
		assertThat(run.goodput(5, 30)).isBetween(0.97 * C, 1.03 * C);
		assertThat(run.p99Millis(5, 30)).isLessThan(2 * P99);
		assertThat(run.mean(5, 30)).isBetween(1.2 * SERVERS, 1.9 * SERVERS);
	}

	@ParameterizedTest
	@CsvSource({ "FIFO, 4", "FIFO, 128", "FIFO, 400", "SHARED, 4", "SHARED, 400" })
	void findsTheSizeOfTheBackend(Order order, int servers) {
		Workload load = new Workload(1, MILLIS, SIGMA);
		double capacity = servers / MILLIS * 1000;
		load.rate = (time) -> 3 * capacity;
		LimitSimulation run = new LimitSimulation(load, order.of(servers), LimitSimulation.adaptive()).run(30);
		assertThat(run.goodput(10, 30)).isBetween(0.97 * capacity, 1.03 * capacity);
		assertThat(run.max(10, 30)).isLessThan(Math.max(25, 2 * servers));
	}

	@ParameterizedTest
	@EnumSource
	void copesWithServiceTimesThatVaryMuch(Order order) {
		Workload load = new Workload(1, MILLIS, 1.5);
		load.rate = (time) -> 3 * C;
		LimitSimulation run = new LimitSimulation(load, order.of(SERVERS), LimitSimulation.adaptive()).run(100);
		assertThat(run.goodput(10, 100)).isGreaterThan(0.97 * C);
	}

	@ParameterizedTest
	@EnumSource
	void copesWithASlowService(Order order) {
		Workload load = new Workload(1, 2000, SIGMA);
		double capacity = SERVERS / 2.0;
		load.rate = (time) -> 3 * capacity;
		LimitSimulation run = new LimitSimulation(load, order.of(SERVERS), LimitSimulation.adaptive()).run(900);
		assertThat(run.goodput(60, 900)).isGreaterThan(0.92 * capacity);
	}

	@ParameterizedTest
	@EnumSource
	void followsABackendThatBecomesTwiceAsSlow(Order order) {
		LimitSimulation run = run(order, 80, (load) -> {
			load.rate = (time) -> 3 * C;
			load.slowness = (time) -> (time < 40) ? 1 : 2;
		});
		assertThat(run.goodput(40, 50)).isGreaterThan(0.95 * C / 2);
		assertThat(run.goodput(50, 80)).isGreaterThan(0.97 * C / 2);
		assertThat(run.mean(50, 80)).isBetween(1.2 * SERVERS, 2.0 * SERVERS);
	}

	@ParameterizedTest
	@EnumSource
	void followsABackendThatBecomesTwiceAsFast(Order order) {
		LimitSimulation run = run(order, 100, (load) -> {
			load.rate = (time) -> 3 * C;
			load.slowness = (time) -> (time < 40) ? 2 : 1;
		});
		assertThat(run.goodput(41, 100)).isGreaterThan(0.97 * C);
		assertThat(run.mean(80, 100)).isLessThan(2.2 * SERVERS);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0.3, 0.5, 0.8 })
	void shedsNextToNothingOfWhatTheBackendCanDo(double share) {
		LimitSimulation run = run(Order.FIFO, 120, (load) -> load.rate = (time) -> share * C);
		assertThat(run.shed(0, 120)).isLessThan(0.001);
	}

	@ParameterizedTest
	@EnumSource
	void keepsItsLimitWhenTheMixOfRoutesChanges(Order order) {
		DoubleUnaryOperator slow = (time) -> ((int) (time / 30) % 2 == 0) ? 0.1 : 0.9;
		DoubleUnaryOperator mean = (time) -> 0.01 + 0.07 * slow.applyAsDouble(time);
		Workload load = new Workload(1, 10, SIGMA);
		load.secondNanos = 80e6;
		load.second = slow;
		load.rate = (time) -> 3 * SERVERS / mean.applyAsDouble(time);
		LimitSimulation run = new LimitSimulation(load, order.of(SERVERS), LimitSimulation.adaptive()).run(240);
		double middle = run.mean(60, 240);
		for (int from = 60; from < 240; from += 30) {
			assertThat(run.mean(from + 2, from + 30)).as("limit from %s", from).isBetween(0.85 * middle, 1.15 * middle);
			assertThat(run.goodput(from, from + 30)).isGreaterThan(0.96 * SERVERS / mean.applyAsDouble(from));
		}
	}

	@ParameterizedTest
	@EnumSource
	void shedsWithinASecondOfAStepAndNothingAfterIt(Order order) {
		LimitSimulation run = run(order, 50,
				(load) -> load.rate = (time) -> (time >= 20 && time < 35) ? 3 * C : 0.5 * C);
		assertThat(run.shed(20, 21)).isGreaterThan(0.5);
		assertThat(run.goodput(21, 35)).isGreaterThan(0.97 * C);
		assertThat(run.shed(37, 50)).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void staysInPlaceJustAboveTheCapacity(Order order) {
		LimitSimulation run = run(order, 200, (load) -> load.rate = (time) -> 1.1 * C);
		assertSteady(run, 200);
	}

	@Test
	@Tag("long")
	@Tag("nightly")
	void staysInPlaceForHours() {
		for (int seed = 1; seed <= 3; seed++) {
			Workload load = new Workload(seed, MILLIS, SIGMA);
			load.rate = (time) -> 1.1 * C;
			LimitSimulation run = new LimitSimulation(load, Order.FIFO.of(SERVERS), LimitSimulation.adaptive());
			run.forgetLatencies();
			int seconds = (seed == 1) ? HOURS * 3600 : 3600;
			assertSteady(run.run(seconds), seconds);
		}
	}

	// The limit is measured between probes, because a probe halves the seats.
	private static void assertSteady(LimitSimulation run, int seconds) {
		assertThat(run.goodput(20, seconds)).isGreaterThan(0.98 * C);
		assertThat(run.max(20, seconds)).isLessThanOrEqualTo((int) (1.9 * SERVERS));
		assertThat(run.min(20, seconds)).isGreaterThan((int) (0.6 * SERVERS));
		assertThat(run.mean(20, seconds)).isBetween(1.3 * SERVERS, 1.9 * SERVERS);
	}

	@Test
	void aLimitFarTooHighFalls() {
		Workload load = new Workload(1, MILLIS, SIGMA);
		load.rate = (time) -> 3 * C;
		AdaptiveLimit limit = new AdaptiveLimit(new LimitRange(10, 500, 1000), LoadGuard.ROUTES, 0);
		LimitSimulation run = new LimitSimulation(load, Order.FIFO.of(SERVERS), limit).run(200);
		assertThat(run.max(0, 1)).isEqualTo(500);
		assertThat(run.mean(180, 200)).isLessThan(3.0 * SERVERS);
	}

	@Test
	void staysWithinItsRange() {
		Workload load = new Workload(1, MILLIS, SIGMA);
		load.rate = (time) -> 3 * C;
		AdaptiveLimit limit = new AdaptiveLimit(new LimitRange(10, 12, 15), LoadGuard.ROUTES, 0);
		LimitSimulation run = new LimitSimulation(load, Order.FIFO.of(SERVERS), limit).run(20);
		assertThat(run.max(0, 20)).isEqualTo(15);
	}

	@Test
	void aWaitIsTwiceTheMeanReference() {
		LimitSimulation run = run(Order.FIFO, 20, (load) -> load.rate = (time) -> 3 * C);
		assertThat(run.limit.waitNanos()).isBetween(32_000_000L, 52_000_000L);
	}

	private static LimitSimulation run(Order order, int seconds, Consumer<Workload> requests) {
		Workload load = new Workload(1, MILLIS, SIGMA);
		requests.accept(load);
		return new LimitSimulation(load, order.of(SERVERS), LimitSimulation.adaptive()).run(seconds);
	}

	enum Order {

		FIFO(Backend::fifo), SHARED(Backend::shared);

		private final IntFunction<Backend> backend;

		Order(IntFunction<Backend> backend) {
			this.backend = backend;
		}

		Backend of(int servers) {
			return this.backend.apply(servers);
		}

	}

}
