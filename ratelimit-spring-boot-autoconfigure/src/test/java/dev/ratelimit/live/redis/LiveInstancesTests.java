package dev.ratelimit.live.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.InstanceState;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.InstanceRegistry;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests twenty instances in one JVM, each with its own connection, timer, and clock.
 * Measures how soon they receive a change, and how far apart they apply it.
 */
@Tag("redis")
@Tag("long")
@Tag("nightly")
class LiveInstancesTests {

	private static final int INSTANCES = 20;

	private static final int ROUNDS = 10;

	/** The maximum time, even on a busy machine. */
	private static final long PROMISED_MILLIS = 1500;

	private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);

	private final List<LiveInstance> instances = new ArrayList<>();

	private final Upkeep upkeep = new Upkeep();

	private TestRedis redis;

	@BeforeEach
	void start() throws InterruptedException {
		this.redis = TestRedis.start();
		for (int i = 0; i < INSTANCES; i++) {
			RedisConnector connector = LiveConnection.to(this.redis);
			LiveInstance instance = new LiveInstance(connector);
			this.instances.add(instance);
		}
	}

	@AfterEach
	void stop() {
		this.instances.forEach(LiveInstance::close);
		this.upkeep.close();
		this.timers.shutdownNow();
		this.redis.close();
	}

	@Test
	void anEditIsToldWithinASecondAndActivatedWithinFiftyMilliseconds() throws Exception {
		List<Follower> followers = this.instances.stream().map(Follower::new).toList();
		Rounds told = new Rounds("told");
		Rounds active = new Rounds("active");
		Rounds spread = new Rounds("first to last");
		for (int round = 0; round < ROUNDS; round++) {
			CountDownLatch done = new CountDownLatch(INSTANCES);
			followers.forEach((follower) -> follower.done = done);
			long start = System.nanoTime();
			this.instances.get(round).write(round, LiveInstance.limit((round + 1) + "/min"));
			assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
			told.add(latest(followers, (follower) -> follower.toldNanos) - start);
			active.add(latest(followers, (follower) -> follower.activeNanos) - start);
			spread.add(latest(followers, (follower) -> follower.activeNanos)
					- followers.stream().mapToLong((follower) -> follower.activeNanos).min().orElseThrow());
		}
		System.out.println("edit, " + INSTANCES + " instances, medians of " + ROUNDS + ": " + told + ", " + active
				+ ", " + spread);
		assertThat(told.median()).isLessThanOrEqualTo(1000);
		assertThat(active.median()).isLessThanOrEqualTo(1000);
		assertThat(spread.median()).isLessThanOrEqualTo(50);
		assertThat(active.max()).isLessThanOrEqualTo(PROMISED_MILLIS);
	}

	@Test
	void aSwitchIsToldWithinFourHundredMilliseconds() throws Exception {
		AtomicLongArray told = new AtomicLongArray(INSTANCES);
		List<RedisSwitchStore> stores = this.instances.stream().map((instance) -> instance.live().switches()).toList();
		CountDownLatch[] done = new CountDownLatch[1];
		for (int i = 0; i < INSTANCES; i++) {
			int index = i;
			stores.get(i).start((switches) -> {
				told.set(index, System.nanoTime());
				done[0].countDown();
			});
		}
		Rounds taken = new Rounds("told");
		for (int round = 0; round < ROUNDS; round++) {
			done[0] = new CountDownLatch(INSTANCES);
			long start = System.nanoTime();
			stores.get(round).set(Optional.of("rule-" + round), RuleMode.OFF, Duration.ofHours(1), "alice", "");
			assertThat(done[0].await(5, TimeUnit.SECONDS)).isTrue();
			taken.add(LongStream.range(0, INSTANCES).map((index) -> told.get((int) index)).max().orElseThrow() - start);
		}
		System.out.println("switch, " + INSTANCES + " instances, median of " + ROUNDS + ": " + taken);
		assertThat(taken.median()).isLessThanOrEqualTo(400);
		assertThat(taken.max()).isLessThanOrEqualTo(PROMISED_MILLIS);
	}

	@Test
	void anInstanceCallsRedisFiveTimesASecondAtMost() throws Exception {
		this.instances.get(0).write(0, LiveInstance.limit("1/min"));
		List<RedisInstanceBoard> boards = new ArrayList<>();
		for (LiveInstance instance : this.instances) {
			instance.started();
			instance.live().switches().start((switches) -> {
			});
			RedisInstanceBoard board = instance.live().instances();
			InstanceState state = new InstanceState("i" + boards.size(), "host", 1, "d", "b", "c", 0, Optional.empty(),
					List.of());
			board.start(() -> state);
			boards.add(board);
			new InstanceRegistry(instance.connector(), LiveInstance.PREFIX, RedisClock.SERVER, InstantSource.system(),
					1, this.upkeep)
				.join();
		}
		// In the first round, each instance reads the document over a new connection.
		Thread.sleep(2000);
		this.redis.command("CONFIG", "RESETSTAT");
		long start = System.nanoTime();
		Thread.sleep(15_000);
		double seconds = (System.nanoTime() - start) / 1e9;
		String stats = this.redis.command("INFO", "commandstats");
		double scripts = calls(stats, "evalsha") + calls(stats, "eval");
		System.out.printf("calls by one of %d instances: %.2f a second, by INFO commandstats%n%s%n", INSTANCES,
				scripts / seconds / INSTANCES, stats.replaceAll(",usec=.*", ""));
		assertThat(scripts / seconds / INSTANCES).isBetween(3.0, 5.0);
		// No other commands are sent, because these run in the scripts.
		assertThat((double) calls(stats, "hgetall")).isLessThanOrEqualTo(INSTANCES * seconds / 5 + INSTANCES);
		assertThat(calls(stats, "hello") + calls(stats, "auth")).isZero();
		boards.forEach(RedisInstanceBoard::close);
	}

	private static long calls(String stats, String command) {
		return Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
			.matcher(stats)
			.results()
			.mapToLong((found) -> Long.parseLong(found.group(1)))
			.sum();
	}

	private static long latest(List<Follower> followers, ToLongFunction<Follower> moment) {
		return followers.stream().mapToLong(moment).max().orElseThrow();
	}

	/**
	 * Acts at the activation time of a document, as an instance does.
	 */
	private final class Follower implements Consumer<RuleSource.Reading> {

		private final LiveInstance instance;

		private volatile CountDownLatch done = new CountDownLatch(0);

		private volatile long toldNanos;

		private volatile long activeNanos;

		Follower(LiveInstance instance) {
			this.instance = instance;
			instance.rules().start(this);
		}

		@Override
		public void accept(RuleSource.Reading reading) {
			if (reading instanceof RuleSource.Changed changed) {
				schedule(changed.document());
			}
		}

		private void schedule(RuleDocument document) {
			this.toldNanos = System.nanoTime();
			long wait = document.activateAtMillis().orElse(0) - this.instance.rules().nowMillis().getAsLong();
			LiveInstancesTests.this.timers.schedule(() -> {
				this.activeNanos = System.nanoTime();
				this.done.countDown();
			}, wait, TimeUnit.MILLISECONDS);
		}

	}

	/**
	 * A duration that is measured in each round. The median shows the speed of the
	 * instances. The maximum also includes delays of the machine.
	 */
	private static final class Rounds {

		private final String name;

		private final List<Long> millis = new ArrayList<>();

		Rounds(String name) {
			this.name = name;
		}

		void add(long nanos) {
			this.millis.add(TimeUnit.NANOSECONDS.toMillis(nanos));
		}

		long median() {
			return this.millis.stream().sorted().toList().get(this.millis.size() / 2);
		}

		long max() {
			return this.millis.stream().mapToLong(Long::longValue).max().orElseThrow();
		}

		@Override
		public String toString() {
			return "%s %d ms, at most %d ms".formatted(this.name, median(), max());
		}

	}

}
