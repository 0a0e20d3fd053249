package dev.ratelimit.fault;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.ratelimit.fault.ChildProcess.Footprint;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application with little memory during a long outage of Redis under high load.
 */
@Tag("scenario")
@Tag("long")
class BoundedOutageTests {

	/** The duration of the outage. Lower values shorten the test. */
	private static final int SECONDS = Integer.getInteger("test.outage.seconds", 30);

	private static final int PER_SECOND = 5000;

	private static final int LOOKS = 6;

	private static final long NOISE = 8L << 20;

	/**
	 * The number of threads that Lettuce and Netty start lazily. A leak would start
	 * thousands.
	 */
	private static final int LAZY = 6;

	@Test
	void heapAndThreadsStayFlatUnderAStoppedRedis() {
		try (TestRedis redis = TestRedis.start();
				ChildProcess child = ChildProcess.start(Instance.redis(redis.host(), redis.port()));
				HttpLoad load = HttpLoad.start(child.port(), "flat", PER_SECOND)) {
			load.lasts(Duration.ofSeconds(4));
			redis.pause();
			long startNanos = System.nanoTime();
			List<Footprint> footprints = new ArrayList<>();
			for (int i = 0; i < LOOKS; i++) {
				load.lasts(Duration.ofSeconds(SECONDS).dividedBy(LOOKS));
				footprints.add(child.footprint());
			}
			List<Sample> during = load.between(startNanos, System.nanoTime());
			load.stop();
			print(during, footprints);
			checkIsFlat(footprints);
			assertThat(load.samples((sample) -> sample.failed() && !sample.rejectedClosed())).isEmpty();
			assertThat(child.log()).noneMatch((line) -> line.contains("ERROR") || line.contains("Exception"));
		}
	}

	private static void checkIsFlat(List<Footprint> footprints) {
		List<Footprint> first = footprints.subList(0, LOOKS / 3);
		List<Footprint> last = footprints.subList(LOOKS - LOOKS / 3, LOOKS);
		assertThat(last.stream().mapToLong(Footprint::heap).min().orElseThrow())
			.isLessThan(first.stream().mapToLong(Footprint::heap).max().orElseThrow() + NOISE);
		assertThat(last.stream().mapToInt(Footprint::threads).max().orElseThrow())
			.isLessThanOrEqualTo(first.get(0).threads() + LAZY);
	}

	private static void print(List<Sample> during, List<Footprint> footprints) {
		System.out.println(String.format(Locale.ROOT,
				"Redis stopped for %d s: %d requests/s (%d asked for), load average %.1f, heap after GC and threads: %s",
				SECONDS, during.size() / SECONDS, PER_SECOND,
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), footprints));
	}

}
