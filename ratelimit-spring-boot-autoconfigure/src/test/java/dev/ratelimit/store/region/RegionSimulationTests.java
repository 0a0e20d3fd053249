package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.redis.ClockedRedis;
import dev.ratelimit.store.region.SimulatedRegions.Arrival;
import dev.ratelimit.store.region.SimulatedRegions.Network;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests the number of requests that three regions allow of a shared limit.
 */
class RegionSimulationTests {

	private static final int MANY_SCHEDULES = Integer.getInteger("test.region.schedules", 10_000);

	private static final int SEEDS = 8;

	private static final Limit THOUSAND = new Limit(Algorithms.DEFAULT, 1_000, Duration.ofMinutes(1), 1_000);

	private static final long PERIOD = 60_000;

	private static List<Arrival> demand(String name, Random random) {
		double perMilli = 1.0 / 60;
		long end = 10 * PERIOD;
		return switch (name) {
			case "one region" -> poisson(random, perMilli * 1.2, end, (at) -> 1);
			case "even" -> poisson(random, perMilli * 1.5, end, (at) -> random.nextInt(SimulatedRegions.REGIONS));
			case "follow the sun" -> poisson(random, perMilli * 0.9, end,
					(at) -> ((int) (at * 6 / end) + ((random.nextDouble() < 0.15) ? 1 : 0)) % SimulatedRegions.REGIONS);
			case "volleys" -> volleys(random, end, 600);
			default -> throw new IllegalArgumentException(name);
		};
	}

	private static List<Arrival> poisson(Random random, double perMilli, long endMillis, Where where) {
		List<Arrival> arrivals = new ArrayList<>();
		double at = 0;
		while (true) {
			at -= Math.log(1 - random.nextDouble()) / perMilli;
			if (at >= endMillis) {
				return arrivals;
			}
			arrivals.add(new Arrival((long) at, where.at((long) at)));
		}
	}

	private static List<Arrival> volleys(Random random, long endMillis, int size) {
		List<Arrival> arrivals = new ArrayList<>();
		for (long start = 0; start < endMillis; start += PERIOD) {
			for (int region = 0; region < SimulatedRegions.REGIONS; region++) {
				for (int i = 0; i < size; i++) {
					arrivals.add(new Arrival(start + random.nextInt(100), region));
				}
			}
		}
		arrivals.sort(Comparator.comparingLong(Arrival::atMillis));
		return arrivals;
	}

	private static Network network(String name) {
		return switch (name) {
			case "whole" -> Network.WHOLE;
			case "ap is cut off" -> (one, other, at) -> (one == 2 || other == 2) && at >= 2 * PERIOD && at < 6 * PERIOD;
			case "breaks" -> (one, other, at) -> (at + (one + other) * 5_000L) % 20_000 < 300;
			default -> throw new IllegalArgumentException(name);
		};
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			one region,     whole,         1.00, 1.00
			follow the sun, whole,         0.03, 1.00
			even,           whole,         1.00, 1.00
			volleys,        whole,         2.26, 1.06
			even,           ap is cut off, 2.90, 1.14
			even,           breaks,        1.11, 1.01
			""")
	void peaksAndUseAreThoseOfTheDocumentation(String demand, String network, double peak, double use) {
		double peaks = 0;
		double uses = 0;
		for (int seed = 1; seed <= SEEDS; seed++) {
			SimulatedRegions regions = new SimulatedRegions(THOUSAND, Duration.ofMillis(200), network(network),
					new Random(seed));
			regions.run(demand(demand, new Random(SEEDS + seed)));
			peaks += regions.peak() / SEEDS;
			uses += regions.use() / SEEDS;
		}
		System.out.printf("%s, %s: peak %.3f, use %.3f%n", demand, network, peaks, uses);
		assertThat(peaks).isCloseTo(peak, within(0.05));
		assertThat(uses).isCloseTo(use, within(0.05));
	}

	/**
	 * Uses the production scripts in three servers.
	 */
	@Test
	@Tag("long")
	@Tag("nightly")
	void leasesAddATwentiethOfTheCapacityForEachRegion() {
		Limit limit = new Limit(Algorithms.DEFAULT, 30_000, Duration.ofMinutes(1), 30_000);
		Duration interval = Duration.ofMillis(200);
		try (Homes homes = new Homes()) {
			SimulatedRegions regions = new SimulatedRegions(limit, Consistency.LEASED, interval, Network.WHOLE,
					new Random(1), List.of(0L, 0L, 0L), homes.stores());
			regions.run(poisson(new Random(2), 1.5 * limit.quantity() / PERIOD, 3 * PERIOD,
					(at) -> (int) (at % SimulatedRegions.REGIONS)));
			long most = regions.mostWithin(interval.toMillis() + SimulatedRegions.MAX_MILLIS);
			double bound = 1 + (SimulatedRegions.REGIONS - 1.0) * most / limit.burst()
					+ SimulatedRegions.REGIONS / 20.0;
			System.out.printf("leased: peak %.3f of %.3f, use %.3f%n", regions.peak(), bound, regions.use());
			assertThat(regions.peak()).isLessThanOrEqualTo(bound);
			assertThat(regions.use()).isCloseTo(1, within(0.05));
			assertThat(regions.lost()).isZero();
		}
	}

	@Test
	void noScheduleBreaksABound() {
		run(1, 50);
	}

	@Test
	@Tag("long")
	@Tag("nightly")
	void noneOfManySchedulesBreaksABound() {
		run(51, MANY_SCHEDULES);
	}

	private static void run(int firstSeed, int schedules) {
		double worst = 0;
		double worstWhole = 0;
		for (int seed = firstSeed; seed < firstSeed + schedules; seed++) {
			Random random = new Random(seed);
			Schedule schedule = Schedule.of(random);
			SimulatedRegions regions = new SimulatedRegions(schedule.limit(), Consistency.STRICT, schedule.interval(),
					schedule.network(), random, schedule.skewsMillis(), SimulatedRegions.inMemory());
			regions.run(schedule.arrivals());
			double tau = schedule.interval().toMillis() + SimulatedRegions.MAX_MILLIS + schedule.apartMillis();
			double most = SimulatedRegions.REGIONS * (1 + tau / schedule.limit().period().toMillis());
			if (schedule.network() == Network.WHOLE) {
				assertThat(regions.fastPeak()).as("seed %d", seed).isLessThanOrEqualTo(most + 1e-6);
				worst = Math.max(worst, regions.fastPeak() / most);
			}
			// Even if connections fail repeatedly, no region allows more than its own
			// limit.
			assertThat(regions.excessAlone()).as("seed %d", seed).isLessThanOrEqualTo(1 + 1e-6);
			if (schedule.network() == Network.WHOLE && regions.peak() <= 2) {
				double bound = 1 + (SimulatedRegions.REGIONS - 1.0) * regions.mostWithin((long) Math.ceil(tau))
						/ schedule.limit().burst();
				assertThat(regions.peak()).as("seed %d", seed).isLessThanOrEqualTo(bound + 1e-6);
				worstWhole = Math.max(worstWhole, regions.peak() / bound);
				assertThat(regions.lost()).as("seed %d", seed).isZero();
			}
		}
		System.out.printf("%d schedules: %.4f of the bound at most, %.4f with all connections%n", schedules, worst,
				worstWhole);
	}

	/**
	 * Selects the region where a request arrives.
	 */
	private interface Where {

		int at(long millis);

	}

	/**
	 * A random limit and random requests, on a network that may fail, in regions whose
	 * clocks may differ.
	 */
	private record Schedule(Limit limit, Duration interval, Network network, List<Long> skewsMillis,
			List<Arrival> arrivals) {

		private static final int REQUESTS = 4_000;

		private static final long SKEW_MILLIS = 200;

		static Schedule of(Random random) {
			long period = pick(random, 1_000, 5_000, 60_000);
			int capacity = (int) pick(random, 20, 60, 200);
			Duration interval = Duration.ofMillis(pick(random, 100, 200, 1_000));
			long end = pick(random, 5, 20) * period;
			List<Arrival> arrivals = new ArrayList<>();
			while (arrivals.size() < REQUESTS) {
				long at = (long) (random.nextDouble() * end);
				int only = (random.nextBoolean()) ? random.nextInt(SimulatedRegions.REGIONS) : -1;
				for (int region = 0; region < SimulatedRegions.REGIONS; region++) {
					int count = (only < 0 || only == region) ? 1 + random.nextInt(2 * capacity - 1) : 0;
					int spread = (int) pick(random, 1, 50, 400);
					for (int i = 0; i < count; i++) {
						arrivals.add(new Arrival(at + random.nextInt(spread), region));
					}
				}
			}
			arrivals.sort(Comparator.comparingLong(Arrival::atMillis));
			return new Schedule(new Limit(Algorithms.DEFAULT, capacity, Duration.ofMillis(period), capacity), interval,
					network(random, end), skews(random), arrivals);
		}

		private static List<Long> skews(Random random) {
			if (random.nextBoolean()) {
				return List.of(0L, 0L, 0L);
			}
			return random.longs(SimulatedRegions.REGIONS, -SKEW_MILLIS, SKEW_MILLIS + 1).boxed().toList();
		}

		/**
		 * Return the maximum difference between two clocks, in milliseconds.
		 */
		long apartMillis() {
			return Collections.max(this.skewsMillis) - Collections.min(this.skewsMillis);
		}

		// Half of the networks have no faults. In the others, a region is disconnected
		// for a while, or connections fail repeatedly.
		private static Network network(Random random, long end) {
			if (random.nextBoolean()) {
				return Network.WHOLE;
			}
			if (random.nextBoolean()) {
				int region = random.nextInt(SimulatedRegions.REGIONS);
				long from = (long) (random.nextDouble() * end);
				long to = from + (long) (random.nextDouble() * end / 2);
				return (one, other, at) -> (one == region || other == region) && at >= from && at < to;
			}
			long every = pick(random, 1_000, 5_000, 20_000);
			return (one, other, at) -> (at + (one + other) * every / 4) % every < 300;
		}

		private static long pick(Random random, long... values) {
			return values[random.nextInt(values.length)];
		}

	}

	/**
	 * A Redis for each region.
	 */
	private static final class Homes implements AutoCloseable {

		private final List<TestRedis> servers = new ArrayList<>();

		private final List<ClockedRedis> stores = new ArrayList<>();

		Homes() {
			for (int region = 0; region < SimulatedRegions.REGIONS; region++) {
				TestRedis server = TestRedis.start();
				this.servers.add(server);
				this.stores.add(new ClockedRedis(server));
			}
		}

		List<Function<LongSupplier, StoreStage>> stores() {
			return this.stores.stream().<Function<LongSupplier, StoreStage>>map((redis) -> redis::store).toList();
		}

		@Override
		public void close() {
			this.stores.forEach(ClockedRedis::close);
			this.servers.forEach(TestRedis::close);
		}

	}

}
