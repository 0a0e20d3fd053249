package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongToIntFunction;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.lease.SimulatedInstances.Tick;
import dev.ratelimit.store.redis.ClockedRedis;
import dev.ratelimit.test.redis.RedisTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates many instances in virtual time with the production scripts in a real Redis.
 * Measures the allowed requests, the rejected requests although units were left, and the
 * number of Redis calls.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class InstancesSimulationTests {

	private static final List<String> TABLE = new ArrayList<>();

	private static ClockedRedis redis;

	private final Random random = new Random(42);

	@BeforeAll
	static void connect() {
		redis = new ClockedRedis();
		TABLE.add("| Scenario | Decisions | Allowed | ÷ exact | ÷ (burst + rate × window), highest"
				+ " | Out on unspent, highest | Redis calls per decision | Local refusals while something was left |");
		TABLE.add("| --- | --- | --- | --- | --- | --- | --- | --- |");
	}

	@AfterAll
	static void print() {
		redis.close();
		TABLE.forEach(System.out::println);
	}

	private static Limit limit(String algorithm, long perMinute, long burst) {
		return new Limit(algorithm, perMinute, Duration.ofMinutes(1), burst);
	}

	private static SimulatedInstances fleet(int instances, Limit limit, Consistency consistency) {
		BucketFamily family = Demands.family("fleet", limit);
		return new SimulatedInstances(redis, instances, family, consistency);
	}

	// Return a function that sends most requests to a few instances.
	private LongToIntFunction unevenly(int instances) {
		double[] upTo = new double[instances];
		double sum = 0;
		for (int i = 0; i < instances; i++) {
			sum += 1.0 / (i + 1);
			upTo[i] = sum;
		}
		double all = sum;
		return (millis) -> {
			int found = Arrays.binarySearch(upTo, this.random.nextDouble() * all);
			return Math.min(instances - 1, (found < 0) ? -found - 1 : found);
		};
	}

	private LongToIntFunction evenly(int instances) {
		return (millis) -> this.random.nextInt(instances);
	}

	// Verify that each interval allows at most the limit plus the unspent leased units at
	// its start.
	private static double bounded(SimulatedInstances fleet, Limit limit) {
		List<Tick> ticks = fleet.ticks;
		double highest = 0;
		for (int from = 0; from < ticks.size(); from++) {
			for (int to = from + 1; to < ticks.size(); to++) {
				long allowed = ticks.get(to).allowed() - ticks.get(from).allowed();
				double bound = limit.burst() + limit.quantity() * (ticks.get(to).millis() - ticks.get(from).millis())
						/ (double) limit.period().toMillis();
				assertThat((double) allowed).isLessThanOrEqualTo(bound + ticks.get(from).held() + 1);
				highest = Math.max(highest, allowed / bound);
			}
		}
		assertThat(highest).isLessThanOrEqualTo(1.06);
		return highest;
	}

	private static void report(String name, SimulatedInstances fleet, double highest) {
		long held = fleet.ticks.stream().mapToLong(Tick::held).max().orElse(0);
		TABLE.add(String.format(Locale.ROOT, "| %s | %,d | %,d | %.3f | %.3f | %,d | %.3f | %.1f %% |", name,
				fleet.decisions, fleet.allowed(), (double) fleet.allowed() / fleet.exactlyAllowed, highest, held,
				(double) fleet.calls() / fleet.decisions,
				(fleet.sampled == 0) ? 0.0 : 100.0 * fleet.stale / fleet.sampled));
	}

	private static long between(SimulatedInstances fleet, long fromMillis, long toMillis) {
		long first = fleet.ticks.get(0).millis();
		long from = 0;
		long to = 0;
		for (Tick tick : fleet.ticks) {
			from = (tick.millis() - first <= fromMillis) ? tick.allowed() : from;
			to = (tick.millis() - first <= toMillis) ? tick.allowed() : to;
		}
		return to - from;
	}

	@Test
	void oneCallerOnTwoHundredInstances() {
		Limit limit = limit("token-bucket", 10_000, 1000);
		SimulatedInstances fleet = fleet(200, limit, Consistency.LEASED);
		fleet.offer(200, 150, unevenly(200));
		double highest = bounded(fleet, limit);
		report("200 instances, 10,000/min, offered 12,000/min", fleet, highest);
		assertThat(between(fleet, 60_000, 120_000)).isBetween(9900L, 10_100L);
	}

	@Test
	void oneCallerOnTwoHundredInstancesByWindows() {
		Limit limit = limit("fixed-window", 10_000, 10_000);
		SimulatedInstances fleet = fleet(200, limit, Consistency.LEASED);
		fleet.offer(200, 119.9, unevenly(200));
		report("the same, fixed windows", fleet, between(fleet, 0, 59_950) / 10_000.0);
		assertThat(between(fleet, 0, 59_950)).isBetween(9900L, 10_000L);
		assertThat(between(fleet, 59_950, 119_900)).isBetween(9900L, 10_000L);
	}

	// The number of requests per second of the client with this rank, if five million
	// clients send a million requests per second, distributed by Zipf with s = 1.1.
	@ParameterizedTest
	@CsvSource({ "1, 10", "10, 20", "100, 30", "1000, 30", "10000, 30" })
	void aMillionRequestsASecond(int rank, int seconds) {
		double perSecond = 1_000_000 * Math.pow(rank, -1.1) / 8.44;
		Limit limit = limit("token-bucket", 10_000, 1000);
		SimulatedInstances fleet = fleet(500, limit, Consistency.AUTO);
		fleet.offer(perSecond, seconds, evenly(500));
		double highest = bounded(fleet, limit);
		report("500 instances, 1,000,000/s, caller " + rank + ", 10,000/min", fleet, highest);
		assertThat((double) fleet.allowed()).isGreaterThan(0.98 * fleet.exactlyAllowed);
		if (rank == 1) {
			assertThat(fleet.decisions).isGreaterThan(50 * fleet.calls());
		}
	}

	@Test
	void hotBucketsOnTenInstances() {
		Limit limit = limit("token-bucket", 120_000, 20_000);
		SimulatedInstances fleet = fleet(10, limit, Consistency.AUTO);
		fleet.offer(2400, 30, evenly(10));
		double highest = bounded(fleet, limit);
		report("10 instances, 120,000/min, offered 144,000/min", fleet, highest);
		assertThat((double) fleet.allowed()).isGreaterThan(0.99 * fleet.exactlyAllowed);
		assertThat(fleet.decisions).isGreaterThan(10 * fleet.calls());
	}

	@Test
	void aCallerThatHopsFromInstanceToInstance() {
		Limit limit = limit("token-bucket", 60_000, 5000);
		SimulatedInstances fleet = fleet(10, limit, Consistency.LEASED);
		fleet.offer(1200, 60, (millis) -> (int) (millis / 300) % 10);
		double highest = bounded(fleet, limit);
		report("10 instances, 60,000/min, a caller that hops, 72,000/min", fleet, highest);
		assertThat((double) fleet.allowed()).isGreaterThan(0.98 * fleet.exactlyAllowed);
	}

	@Test
	void aCallerThatHopsAndKeepsWithinTheLimit() {
		Limit limit = limit("token-bucket", 60_000, 5000);
		SimulatedInstances fleet = fleet(10, limit, Consistency.LEASED);
		fleet.offer(900, 30, (millis) -> (int) (millis / 300) % 10);
		double highest = bounded(fleet, limit);
		report("10 instances, 60,000/min, a caller that hops, 54,000/min", fleet, highest);
		assertThat(fleet.allowed()).isEqualTo(fleet.decisions);
		assertThat(fleet.decisions).isGreaterThan(10 * fleet.calls());
	}

	@Test
	void burstsOnAFullBucketOfWhichUnitsAreHeld() {
		Limit limit = limit("token-bucket", 120_000, 20_000);
		SimulatedInstances fleet = fleet(10, limit, Consistency.LEASED);
		for (int round = 0; round < 3; round++) {
			fleet.offer(1000, 10, evenly(10));
			fleet.offer(30_000, 1, evenly(10));
		}
		double highest = bounded(fleet, limit);
		report("10 instances, 120,000/min, bursts of 30,000/s", fleet, highest);
		assertThat(highest).as("so the bound is needed").isGreaterThan(1.001);
		assertThat(fleet.decisions).isGreaterThan(5 * fleet.calls());
	}

	@Test
	void allAtOnce() {
		Limit limit = limit("token-bucket", 100, 100);
		SimulatedInstances fleet = fleet(10, limit, Consistency.LEASED);
		for (int i = 0; i < 1000; i++) {
			fleet.tryAcquire(i % 10);
			if (i % 100 == 99) {
				fleet.passMillis(1);
			}
		}
		fleet.passMillis(200);
		double highest = bounded(fleet, limit);
		report("10 instances, 100/min, all at once", fleet, highest);
		assertThat(fleet.allowed()).isEqualTo(fleet.exactlyAllowed).isEqualTo(100);
	}

	@Test
	void limitHoldsWhileHalfTheInstancesRestart() {
		Limit limit = limit("token-bucket", 60_000, 5000);
		SimulatedInstances fleet = fleet(20, limit, Consistency.LEASED);
		for (int round = 0; round < 6; round++) {
			fleet.offer(1200, 10, evenly(20));
			for (int i = round % 2; i < 20; i += 2) {
				if (round < 3) {
					fleet.restart(i);
				}
				else {
					fleet.crash(i);
				}
			}
		}
		double highest = bounded(fleet, limit);
		report("20 instances, 60,000/min, half of them restarted every 10 s, 72,000/min", fleet, highest);
		assertThat((double) fleet.allowed()).isGreaterThan(0.98 * fleet.exactlyAllowed);
	}

}
