package dev.ratelimit.fault;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Verdict;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a servlet and a WebFlux instance that share a Redis Cluster while masters fail in
 * turn and a rule is edited each second. The rules cover strict limits, leases, waiting,
 * bans, and slots. Clients keep connections, open new ones, or disconnect. Afterwards,
 * all charges must be accounted for, and all resources must be released.
 */
@Tag("scenario")
@Tag("long")
class EnduranceTests {

	private static final int SECONDS = Integer.getInteger("test.endurance.seconds", 900);

	/** The time between the failures of masters. */
	private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(Math.min(60, SECONDS / 4));

	private static final int CALLERS = 4;

	/** The average pause of each client of a rule on an instance. */
	private static final Duration PAUSE = Duration.ofMillis(40);

	/** A limit that no client exhausts. */
	private static final long UNITS = 200_000;

	private static final long YEAR_DAYS = 365;

	private static final String YEARLY = UNITS + "/" + YEAR_DAYS + "d";

	private static final int WAITING_PER_SECOND = 20;

	private static final int SLOTS = 5;

	private static final Pattern VERSION = Pattern.compile("\"version\":\"?(\\d+)");

	/**
	 * The maximum number of charges per client that a replica has not received when its
	 * master is lost.
	 */
	private static final int IN_TRANSIT = 5;

	private static final long HEAP_NOISE = 16L << 20;

	/** The number of threads and sockets that libraries open lazily. */
	private static final int NOISE = 10;

	private static final String[] RULES = { "--ratelimit.rules.strict.paths=/strict",
			"--ratelimit.rules.strict.limit=" + YEARLY, "--ratelimit.rules.leased.paths=/leased",
			"--ratelimit.rules.leased.limit=" + YEARLY, "--ratelimit.rules.leased.consistency=leased",
			"--ratelimit.rules.waiting.paths=/waiting", "--ratelimit.rules.waiting.key=global",
			"--ratelimit.rules.waiting.limit=" + WAITING_PER_SECOND + "/s", "--ratelimit.rules.waiting.wait=2s",
			"--ratelimit.client-address.trusted-proxies=127.0.0.1", "--ratelimit.client-address.header=X-Caller",
			"--ratelimit.rules.banned.paths=/banned", "--ratelimit.rules.banned.key=ip",
			"--ratelimit.rules.banned.limit=1/s", "--ratelimit.rules.banned.ban.after=20",
			"--ratelimit.rules.banned.ban.within=10s", "--ratelimit.rules.banned.ban.for=3s",
			"--ratelimit.rules.slots.paths=/slots", "--ratelimit.rules.slots.key=global",
			"--ratelimit.rules.slots.algorithm=concurrency", "--ratelimit.rules.slots.limit=" + SLOTS,
			"--ratelimit.rules.slots.lease=10s", "--ratelimit.rules.edited.paths=/edited",
			"--ratelimit.rules.edited.limit=1000/min", "--spring.application.name=endurance",
			"--ratelimit.live.source=redis", "--ratelimit.live.anonymous-writes=true",
			"--management.endpoints.web.exposure.include=ratelimitlive" };

	@Test
	@Timeout(value = 20, unit = TimeUnit.MINUTES)
	void allChargesAreAccountedFor() throws Exception {
		try (TestFailoverCluster cluster = TestFailoverCluster.start();
				Instance servlet = start(WebApplicationType.SERVLET, cluster);
				Instance webFlux = start(WebApplicationType.REACTIVE, cluster);
				Run run = new Run(List.of(servlet, webFlux))) {
			List<Instance> instances = List.of(servlet, webFlux);
			instances.forEach(Instance::awaitHealthy);
			long startNanos = System.nanoTime();
			run.start();
			int failures = 0;
			List<Usage> usages = new ArrayList<>();
			while (left(startNanos).compareTo(BETWEEN_FAILURES) > 0) {
				HttpLoad.pass(BETWEEN_FAILURES);
				usages.add(Usage.now());
				failOver(cluster, failures++);
			}
			HttpLoad.pass(left(startNanos));
			usages.add(Usage.now());
			run.stop();
			double seconds = (System.nanoTime() - startNanos) / 1e9;
			print(run, seconds, usages);
			instances.forEach(Instance::awaitHealthy);
			checkCharges(run, servlet, failures);
			checkRates(run, seconds, failures);
			checkEdits(run, instances);
			checkUsage(usages);
		}
	}

	private static Instance start(WebApplicationType stack, TestFailoverCluster cluster) {
		return Instance.start(stack, Application.class,
				Stream.concat(Stream.of("--spring.data.redis.cluster.nodes=" + cluster.addresses()), Stream.of(RULES))
					.toArray(String[]::new));
	}

	private static Duration left(long startNanos) {
		Duration left = Duration.ofSeconds(SECONDS).minusNanos(System.nanoTime() - startNanos);
		return (left.isNegative()) ? Duration.ZERO : left;
	}

	private static void failOver(TestFailoverCluster cluster, int number) {
		TestRedis master = cluster.master(cluster.slot("header:" + caller(number % CALLERS)));
		TestRedis replica = cluster.replica(master);
		master.kill();
		cluster.awaitPromotion(replica, master);
		master.restart();
		cluster.awaitOk();
	}

	private static String caller(int number) {
		return "caller-" + number;
	}

	private static void print(Run run, double seconds, List<Usage> usages) {
		System.out.printf(Locale.ROOT, "%.0f s, %d masters failed, %d edits%n", seconds, usages.size() - 1,
				run.edits.sum());
		run.responses.forEach((path, counts) -> System.out.printf(Locale.ROOT, "  %s: %s%n", path, counts));
		usages.forEach((usage) -> System.out.println("  " + usage));
	}

	// A charge that Redis confirmed may be lost with its master. A request that was
	// allowed without confirmation is either charged later as a debt, or was charged
	// although the reply was lost.
	private static void checkCharges(Run run, Instance instance, int failures) {
		RateLimiter limiter = instance.bean(RateLimiter.class);
		long refilled = 1 + SECONDS * UNITS * CALLERS / Duration.ofDays(YEAR_DAYS).toSeconds();
		long lost = (long) failures * IN_TRANSIT * CALLERS;
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			for (Path path : List.of(Path.STRICT, Path.LEASED)) {
				Responses counts = run.responses(path);
				long used = 0;
				for (int i = 0; i < CALLERS; i++) {
					used += UNITS - verdict(limiter, path, "header:" + caller(i)).remaining();
				}
				assertThat(used).as("units of %s: %s", path, counts)
					.isBetween(counts.confirmed.sum() - lost - refilled,
							counts.confirmed.sum() + counts.open.sum() + counts.unknown.sum() + lost);
			}
			assertThat(verdict(limiter, Path.SLOTS, "global").remaining()).isEqualTo(SLOTS);
		});
	}

	private static Verdict verdict(RateLimiter limiter, Path path, String subject) {
		List<Verdict> verdicts = limiter.peek(path.rule(), subject).block().verdicts();
		assertThat(verdicts).as(path.rule()).hasSize(1);
		return verdicts.get(0);
	}

	private static void checkRates(Run run, double seconds, int failures) {
		Responses waiting = run.responses(Path.WAITING);
		assertThat(waiting.confirmed.sum()).as("waiting: %s", waiting)
			.isBetween((long) (WAITING_PER_SECOND * seconds / 2),
					(long) (WAITING_PER_SECOND * (seconds + 1)) + failures * IN_TRANSIT);
		assertThat(run.responses(Path.STRICT).rejected.sum()).isZero();
		assertThat(run.responses(Path.LEASED).rejected.sum()).isZero();
		assertThat(run.responses(Path.BANNED).banned.sum()).isPositive();
		assertThat(run.responses(Path.SLOTS).confirmed.sum()).isPositive();
		run.responses.forEach((path, counts) -> {
			assertThat(counts.unexpected.sum()).as("%s: %s", path, counts).isZero();
			assertThat(counts.open.sum()).as("%s: %s", path, counts).isLessThan(counts.total() / 4);
			if (path != Path.BANNED) {
				assertThat(counts.banned.sum()).as("%s: %s", path, counts).isZero();
			}
		});
	}

	private static void checkEdits(Run run, List<Instance> instances) {
		assertThat(run.edits.sum()).as("last rejection: %s", run.rejection).isGreaterThan(SECONDS / 4);
		Awaitility.await().until(() -> run.edit(instances.get(0)));
		for (Instance instance : instances) {
			Awaitility.await()
				.untilAsserted(() -> assertThat(
						verdict(instance.bean(RateLimiter.class), Path.EDITED, "header:new").policy().capacity())
					.isEqualTo(run.limit.get()));
		}
	}

	// A collection during concurrent requests can only increase the heap usage, so
	// compare the minimum values.
	private static void checkUsage(List<Usage> usages) {
		List<Usage> first = usages.subList(0, usages.size() / 2);
		List<Usage> second = usages.subList(first.size(), usages.size());
		assertThat(least(second, Usage::heap)).isLessThan(least(first, Usage::heap) + HEAP_NOISE);
		assertThat(least(second, Usage::threads)).isLessThan(least(first, Usage::threads) + NOISE);
		assertThat(least(second, Usage::files)).isLessThan(least(first, Usage::files) + NOISE);
	}

	private static long least(List<Usage> usages, ToLongFunction<Usage> figure) {
		return usages.stream().mapToLong(figure).min().orElseThrow();
	}

	private enum Path {

		STRICT, LEASED, WAITING, BANNED, SLOTS, EDITED;

		String rule() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** All clients and the user that edits rules. */
	private static final class Run implements AutoCloseable {

		private final Map<Path, Responses> responses = new EnumMap<>(Path.class);

		private final LongAdder edits = new LongAdder();

		private final AtomicInteger limit = new AtomicInteger(1000);

		private final ExecutorService threads = Executors.newCachedThreadPool();

		private final List<Runnable> loops = new ArrayList<>();

		private final List<Future<?>> running = new ArrayList<>();

		private volatile boolean stopped;

		private volatile String rejection = "";

		Run(List<Instance> instances) {
			for (Path path : Path.values()) {
				Responses counts = new Responses();
				this.responses.put(path, counts);
				for (Instance instance : instances) {
					for (int i = 0; i < CALLERS; i++) {
						String caller = (path == Path.BANNED) ? "192.0.2." + i : caller(i);
						this.loops.add(() -> call(instance.port(), path, caller, counts));
					}
				}
			}
			this.loops.add(() -> edit(instances));
		}

		Responses responses(Path path) {
			return this.responses.get(path);
		}

		void start() {
			this.loops.forEach((loop) -> this.running.add(this.threads.submit(loop)));
		}

		/**
		 * Stop all threads and throw the first exception of any of them.
		 */
		void stop() throws Exception {
			this.stopped = true;
			for (Future<?> loop : this.running) {
				loop.get(30, TimeUnit.SECONDS);
			}
		}

		@Override
		public void close() {
			this.stopped = true;
			this.threads.shutdown();
		}

		private void call(int port, Path path, String caller, Responses counts) {
			HttpCaller http = new HttpCaller(port);
			for (int i = 1; !this.stopped; i++) {
				pause(ThreadLocalRandom.current().nextLong(2 * PAUSE.toMillis()));
				boolean leaves = i % 50 == 0;
				try {
					http.send("/" + path.rule(), caller);
					if (!leaves) {
						counts.add(http.receive());
					}
				}
				catch (IOException ex) {
					leaves = true;
				}
				if (leaves) {
					counts.unknown.increment();
				}
				if (leaves || i % 20 == 0) {
					http.close();
					http = new HttpCaller(port);
				}
			}
			http.close();
		}

		private void edit(List<Instance> instances) {
			for (int i = 0; !this.stopped; i++) {
				pause(1000);
				edit(instances.get(i % instances.size()));
			}
		}

		/**
		 * Edit the limit. A rejected edit during the outage of a master is not counted.
		 * @return whether the edit was accepted
		 */
		boolean edit(Instance instance) {
			HttpProbe http = new HttpProbe(instance.port());
			int next = this.limit.incrementAndGet();
			Matcher newest = VERSION.matcher(http.get("/actuator/ratelimitlive").body());
			String version = (newest.find()) ? newest.group(1) : "0";
			Reply reply = http.send("POST", "/actuator/ratelimitlive/rules/edited",
					"{\"definition\":\"limit: " + next + "/min\",\"version\":\"" + version + "\"}",
					new String[] { "Content-Type", "application/json" });
			if (reply.statusCode() == 200) {
				this.edits.increment();
				return true;
			}
			assertThat(reply.statusCode()).as(reply.body()).isIn(409, 503);
			this.rejection = reply.body();
			return false;
		}

		private static void pause(long millis) {
			try {
				Thread.sleep(millis);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	/** The counts of responses for a path. */
	private static final class Responses {

		private final LongAdder confirmed = new LongAdder();

		private final LongAdder open = new LongAdder();

		private final LongAdder rejected = new LongAdder();

		private final LongAdder banned = new LongAdder();

		private final LongAdder unexpected = new LongAdder();

		private final LongAdder unknown = new LongAdder();

		void add(ResponseHead head) {
			switch (head.status()) {
				case 200 -> ((head.counted()) ? this.confirmed : this.open).increment();
				case 429, 503 -> this.rejected.increment();
				case 403 -> this.banned.increment();
				default -> this.unexpected.increment();
			}
		}

		long total() {
			return Stream.of(this.confirmed, this.open, this.rejected, this.banned, this.unknown)
				.mapToLong(LongAdder::sum)
				.sum();
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT,
					"%d allowed, %d allowed without a count, %d rejected, %d banned, %d others, %d without a response",
					this.confirmed.sum(), this.open.sum(), this.rejected.sum(), this.banned.sum(),
					this.unexpected.sum(), this.unknown.sum());
		}

	}

	/**
	 * The resource usage of this JVM.
	 *
	 * @param heap the used bytes after a collection
	 * @param threads the number of threads, without those of the pool of Tomcat
	 * @param files the number of open files, including sockets
	 */
	private record Usage(long heap, long threads, long files) {

		static Usage now() {
			System.gc();
			long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
			long threads = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> !thread.getName().contains("-exec-"))
				.count();
			if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
				return new Usage(heap, threads, system.getOpenFileDescriptorCount());
			}
			throw new IllegalStateException("not a Unix system");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ FaultApplication.class, Handlers.class })
	static class Application {

	}

	@RestController
	static class Handlers {

		@GetMapping({ "/strict", "/leased", "/waiting", "/banned", "/edited" })
		String get() {
			return "ok";
		}

		@GetMapping("/slots")
		String slot() {
			Run.pause(60);
			return "ok";
		}

	}

}
