package dev.ratelimit.load;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.load.AdaptiveLimitTests.Order;
import dev.ratelimit.load.GuardSimulation.Request;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the guard in simulations of levels, flows, and the queue, with an adaptive limit.
 * C is the capacity of the backend.
 */
class LoadGuardSimulationTests {

	private static final int SERVERS = 32;

	private static final double C = SERVERS / 0.02;

	private static final double P99_MILLIS = 56.5;

	private static final Predicate<Request> ALL = (request) -> true;

	@ParameterizedTest
	@EnumSource
	void criticalRequestsAreServedAtThreeTimesTheLoad(Order order) {
		GuardSimulation run = run(order, 30, 3, (load, guard) -> guard.shares = shares(0.1, 0.3, 0.5, 0.1));
		assertThat(run.served(10, 29, level(Level.CRITICAL))).isGreaterThan(0.99);
		assertThat(run.goodput(10, 30)).isGreaterThan(0.97 * C);
		assertThat(run.p99Millis(10, 29, ALL)).isLessThan(2 * P99_MILLIS);
		// These three levels request 2.4 C and share 0.7 C. Each must get at least its
		// share of the seats.
		assertThat(run.served(10, 29, level(Level.HIGH)) * 0.9).isGreaterThan(0.3);
		assertThat(run.served(10, 29, level(Level.NORMAL)) * 1.5).isGreaterThan(0.22);
		assertThat(run.served(10, 29, level(Level.LOW)) * 0.3).isGreaterThan(0.045);
		assertThat(run.shedByCheck(10, 29)).isGreaterThan(0.9);
	}

	@ParameterizedTest
	@EnumSource
	void aFloodOfImportantRequestsLeavesTheOthersTheirShares(Order order) {
		GuardSimulation run = run(order, 30, 3, (load, guard) -> guard.shares = shares(0.035, 0.9, 0.05, 0.015));
		assertThat(run.served(10, 29, level(Level.CRITICAL))).isGreaterThan(0.99);
		assertThat(run.served(10, 29, level(Level.NORMAL))).isGreaterThan(0.95);
		// The share is two and a half seats, and the load needs nine tenths of it.
		assertThat(run.served(10, 29, level(Level.LOW))).isGreaterThan(0.95);
		assertThat(run.shedByCheck(10, 29)).isGreaterThan(0.9);
	}

	@ParameterizedTest
	@EnumSource
	void aNoisyFlowTakesNothingFromTheOthers(Order order) {
		GuardSimulation run = run(order, 30, 3, (load, guard) -> {
			guard.shares = shares(0.1, 0.3, 0.5, 0.1);
			guard.noisy = 100 / 109.0;
			guard.flows = 9;
		});
		Predicate<Request> others = (request) -> !request.flow.equals("noisy");
		assertThat(run.shed(10, 29, others)).isLessThan(0.005);
		assertThat(run.p99Millis(10, 29, others)).isLessThan(((order == Order.FIFO) ? 1.5 : 2) * P99_MILLIS);
		assertThat(run.shedByCheck(10, 29)).isGreaterThan(0.9);
		assertThat(run.goodput(10, 29)).isGreaterThan(0.97 * C);
	}

	@ParameterizedTest
	@EnumSource
	void fixedSeatsAreSharedAsWell(Order order) {
		LoadSettings defaults = LoadSettings.DEFAULT;
		LoadSettings fixed = new LoadSettings(false, OptionalInt.of(SERVERS), defaults.range(), 50, defaults.maxWait(),
				defaults.shares(), defaults.reserve(), Optional.empty());
		GuardSimulation run = run(order, 20, 3, fixed, (load, guard) -> {
			guard.shares = shares(0.1, 0.3, 0.5, 0.1);
			guard.noisy = 100 / 109.0;
			guard.flows = 9;
		});
		assertThat(run.shed(1, 19, (request) -> !request.flow.equals("noisy"))).isLessThan(0.005);
		assertThat(run.p99Millis(1, 19, ALL)).isLessThan(2 * P99_MILLIS);
		assertThat(run.shedByCheck(1, 19)).isGreaterThan(0.9);
	}

	// At a load close to the capacity, most waiting requests get a seat.
	@ParameterizedTest
	@EnumSource
	void shedRequestsAreSeldomChargedJustAboveTheCapacity(Order order) {
		GuardSimulation run = run(order, 60, 1.1, (load, guard) -> guard.shares = shares(0.1, 0.3, 0.5, 0.1));
		assertThat(run.served(10, 59, level(Level.HIGH))).isGreaterThan(0.99);
		assertThat(run.shedByCheck(10, 59)).isGreaterThan(0.88);
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsShedBelowTheCapacityOnceTheLimitIsFound(Order order) {
		GuardSimulation run = run(order, 60, 0.8, (load, guard) -> {
		});
		assertThat(run.shed(5, 60, ALL)).isLessThan(0.001);
	}

	@ParameterizedTest
	@EnumSource
	void aSlowerBackendIsFollowed(Order order) {
		GuardSimulation run = run(order, 60, 3, (load, guard) -> load.slowness = (time) -> (time < 30) ? 1 : 2);
		assertThat(run.goodput(31, 40)).isGreaterThan(0.95 * C / 2);
		assertThat(run.goodput(40, 60)).isGreaterThan(0.97 * C / 2);
	}

	@ParameterizedTest
	@EnumSource
	void noSeatIsLost(Order order) {
		GuardSimulation run = run(order, 20, 3, (load, guard) -> {
			guard.shares = shares(0.1, 0.3, 0.5, 0.1);
			DoubleUnaryOperator rate = load.rate;
			load.rate = (time) -> (time < 10) ? rate.applyAsDouble(time) : 0.001;
		});
		for (Level level : Level.values()) {
			LevelStatus status = run.guard.status(level);
			assertThat(status.inFlight()).isZero();
			assertThat(status.queued()).isZero();
		}
	}

	private static Predicate<Request> level(Level level) {
		return (request) -> request.level == level;
	}

	private static DoubleUnaryOperator[] shares(double... shares) {
		DoubleUnaryOperator[] constant = new DoubleUnaryOperator[shares.length];
		for (int i = 0; i < shares.length; i++) {
			double share = shares[i];
			constant[i] = (time) -> share;
		}
		return constant;
	}

	private static GuardSimulation run(Order order, int seconds, double times,
			BiConsumer<Workload, GuardSimulation> requests) {
		return run(order, seconds, times, LoadSettings.DEFAULT, requests);
	}

	private static GuardSimulation run(Order order, int seconds, double times, LoadSettings settings,
			BiConsumer<Workload, GuardSimulation> requests) {
		Workload load = new Workload(1, 20, 0.5);
		load.rate = (time) -> times * C;
		GuardSimulation simulation = new GuardSimulation(load, order.of(SERVERS), settings);
		requests.accept(load, simulation);
		return simulation.run(seconds);
	}

}
