package dev.ratelimit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests three regions with a delay of 80 milliseconds that share a limit, one of which is
 * disconnected, by default for ten seconds. Measures the waits of requests in that region
 * before and during the fault, and the time until all regions have the same count again.
 * Each value is the median of all attempts.
 */
@Tag("scenario")
@Tag("long")
class RegionFaultTests {

	private static final List<String> NAMES = List.of("eu", "us", "ap");

	private static final Duration ONE_WAY = Duration.ofMillis(40);

	private static final Duration INTERVAL = Duration.ofMillis(200);

	private static final int FULL_SECONDS = 10;

	private static final Duration CUT = Duration.ofSeconds(Integer.getInteger("test.cut.seconds", FULL_SECONDS));

	private static final int ATTEMPTS = Integer.getInteger("test.region.cuts", 3);

	private static final int PER_SECOND = 100;

	private static final String CALLER = "ann";

	private static final String RULE = "everywhere";

	private static final long LIMIT = 1_000_000;

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void aRegionThatIsCutOffIsAsFastAsBefore(WebApplicationType stack) {
		try (World world = new World(stack)) {
			world.load(Duration.ofSeconds(3), "warm-up");
			List<Attempt> attempts = IntStream.range(0, ATTEMPTS).mapToObj((i) -> attempt(world, i)).toList();
			double before = median(attempts, Attempt::before);
			double during = median(attempts, Attempt::during);
			double agreed = median(attempts, Attempt::agreedMillis);
			System.out.printf(Locale.ROOT,
					"%s, p99 of the region that is cut off: before %.1f ms, during %.1f ms; agreed after %.0f ms%n",
					stack, before, during, agreed);
			assertThat(median(attempts, Attempt::medianDuring)).as("no request waits for another region")
				.isLessThan(ONE_WAY.toMillis());
			// In a shorter time, a single pause of the machine affects more than 1 % of
			// the requests.
			if (CUT.toSeconds() >= FULL_SECONDS) {
				assertThat(during).isLessThanOrEqualTo(Math.max(before * 1.2, before + 1));
			}
			assertThat(agreed).isLessThanOrEqualTo(INTERVAL.multipliedBy(2).plus(ONE_WAY.multipliedBy(2)).toMillis());
		}
	}

	private static Attempt attempt(World world, int number) {
		String caller = CALLER + number;
		List<Sample> before = world.load(CUT, caller);
		world.cutOff(0, FaultProxy::stall);
		List<Sample> during = world.load(CUT, caller);
		List<Long> apart = world.remaining(caller);
		assertThat(apart.get(0)).isNotEqualTo(apart.get(1)).isNotEqualTo(apart.get(2));
		long healNanos = System.nanoTime();
		world.cutOff(0, FaultProxy::heal);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.atMost(Duration.ofSeconds(20))
			.until(() -> world.remaining(caller).stream().distinct().count() == 1);
		double agreed = (System.nanoTime() - healNanos) / 1e6;
		assertThat(world.remaining(caller)).containsOnly(LIMIT - world.requests.get(caller));
		return new Attempt(p99(before), p99(during), HttpLoad.waitMillis(during, 0.5), agreed);
	}

	private static double p99(List<Sample> samples) {
		return HttpLoad.waitMillis(samples, 0.99);
	}

	private static double median(List<Attempt> all, ToDoubleFunction<Attempt> figure) {
		return all.stream().mapToDouble(figure).sorted().skip(all.size() / 2).findFirst().orElseThrow();
	}

	/**
	 * The measurements of one disconnection of the first region.
	 *
	 * @param before the p99 of the waits of its requests before the fault, in
	 * milliseconds
	 * @param during the p99 during the fault, in milliseconds
	 * @param medianDuring the median during the fault, in milliseconds
	 * @param agreedMillis the time after the fault until all regions had the same count
	 */
	private record Attempt(double before, double during, double medianDuring, double agreedMillis) {

	}

	/**
	 * A server and a Redis for each region, and a slow connection from each server to the
	 * Redis of each other region.
	 */
	private static final class World implements AutoCloseable {

		private final List<TestRedis> homes = new ArrayList<>();

		private final FaultProxy[][] ways = new FaultProxy[NAMES.size()][NAMES.size()];

		private final List<Instance> instances = new ArrayList<>();

		private final Map<String, Integer> requests = new HashMap<>();

		World(WebApplicationType stack) {
			NAMES.forEach((name) -> this.homes.add(TestRedis.start()));
			for (int from = 0; from < NAMES.size(); from++) {
				this.instances.add(start(stack, from));
			}
		}

		private Instance start(WebApplicationType stack, int from) {
			TestRedis home = this.homes.get(from);
			List<String> properties = new ArrayList<>(Arrays.asList(Instance.redis(home.host(), home.port())));
			properties.add("--ratelimit.regions.here=" + NAMES.get(from));
			String rule = "--ratelimit.rules." + RULE;
			properties.addAll(List.of(rule + ".paths=" + Target.FREE.path(), rule + ".limit=" + LIMIT + "/366d",
					rule + ".algorithm=fixed-window", rule + ".regions=shared"));
			List<String> peers = new ArrayList<>();
			for (int to = 0; to < NAMES.size(); to++) {
				if (to != from) {
					FaultProxy way = FaultProxy.to(this.homes.get(to).host(), this.homes.get(to).port());
					way.delay(ONE_WAY);
					this.ways[from][to] = way;
					peers.add(NAMES.get(to));
					String store = "--ratelimit.stores." + NAMES.get(to);
					properties.addAll(List.of(store + ".host=" + way.host(), store + ".port=" + way.port()));
				}
			}
			properties.add("--ratelimit.regions.peers=" + String.join(",", peers));
			return Instance.start(stack, properties.toArray(String[]::new));
		}

		/**
		 * Send requests to all regions.
		 * @return the samples of the first region
		 */
		List<Sample> load(Duration duration, String caller) {
			List<HttpLoad> loads = this.instances.stream()
				.map((instance) -> HttpLoad.start(instance.port(), caller, PER_SECOND, Target.FREE))
				.toList();
			loads.get(0).lasts(duration);
			loads.forEach(HttpLoad::stop);
			loads.forEach((load) -> assertThat(load.samples()).extracting(Sample::status).containsOnly(200));
			loads.forEach((load) -> this.requests.merge(caller, load.samples().size(), Integer::sum));
			return loads.get(0).samples();
		}

		void cutOff(int region, Consumer<FaultProxy> fault) {
			for (int other = 0; other < NAMES.size(); other++) {
				if (other != region) {
					fault.accept(this.ways[region][other]);
					fault.accept(this.ways[other][region]);
				}
			}
		}

		List<Long> remaining(String caller) {
			return this.instances.stream()
				.map((instance) -> instance.bean(RateLimiter.class).acquireBlocking(RULE, "header:" + caller, 0))
				.map((acquired) -> acquired.verdicts().get(0).remaining())
				.toList();
		}

		@Override
		public void close() {
			this.instances.forEach(Instance::close);
			Arrays.stream(this.ways).flatMap(Arrays::stream).filter((way) -> way != null).forEach(FaultProxy::close);
			this.homes.forEach(TestRedis::close);
		}

	}

}
