package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.VectorPlayer;
import dev.ratelimit.test.GoldenVectors;
import dev.ratelimit.test.Limits;
import dev.ratelimit.test.RandomLimits;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the calculations in Java and Lua agree for slots that several instances
 * hold.
 */
@RedisTest
class HolderTests {

	private static final long TODAY = 60_000_000_000L;

	private static final int RUNS = 40;

	private static final int STEPS = 200;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final List<RedisLimitStore> stores = Stream.of(1L, 2L, (1L << 53) - 1)
		.map((holder) -> fixture.store(this.clock::get, holder))
		.toList();

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	static List<GoldenVectors> vectors() {
		return GoldenVectors.all().stream().filter((vectors) -> vectors.holders() > 1).toList();
	}

	@ParameterizedTest
	@MethodSource("vectors")
	void answersAsTheGoldenVectorsSay(GoldenVectors vectors) {
		VectorPlayer.play(vectors, Demands.concurrent("golden", vectors.limit()),
				(holder) -> this.stores.get((int) holder - 1), (millis) -> this.clock.set(TODAY + millis));
	}

	@Test
	void javaAndLuaAgreeOnEveryStep() {
		long seed = System.nanoTime();
		for (int run = 0; run < RUNS; run++) {
			play(seed + run);
		}
	}

	private void play(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		// The lease is long, because Redis expires keys by its own clock.
		long leaseMillis = 60_000 + random.nextLong(100_000);
		long slots = 1 + random.nextLong(50);
		// Requests that reserve slots for other requests are counted in the same bucket.
		List<BucketFamily> levels = Stream.of(slots, slots, slots / 2 + 1, slots / 5 + 1)
			.map((capacity) -> Demands.concurrent("random",
					Limits.concurrent(capacity, Duration.ofMillis(leaseMillis))))
			.toList();
		long[] state = LimitCalculator.EMPTY;
		long now = TODAY + random.nextLong(TODAY);
		for (int step = 0; step < STEPS; step++) {
			now += (random.nextInt(3) == 0) ? random.nextLong(leaseMillis / 2) : RandomLimits.jump(random, leaseMillis);
			this.clock.set(now);
			int who = random.nextInt(this.stores.size());
			Bucket bucket = new Bucket(levels.get(random.nextInt(levels.size())), "subject-" + seed);
			LimitCalculator calculator = bucket.family().calculator().heldBy(who);
			long units = random.nextLong(1 + slots / 2);
			state = switch (random.nextInt(4)) {
				case 0 -> settle(bucket, who, (random.nextInt(4) == 0) ? units : -units, calculator, state, now);
				case 1 -> renew(bucket, who, units, calculator, state, now, seed);
				default -> acquire(bucket, who, units, calculator, state, now, "seed " + seed + " step " + step);
			};
		}
	}

	private long[] settle(Bucket bucket, int who, long units, LimitCalculator calculator, long[] state, long now) {
		this.stores.get(who).settle(List.of(new Settlement(bucket, now, units))).join();
		return calculator.settle(state, now, units, now);
	}

	private long[] renew(Bucket bucket, int who, long units, LimitCalculator calculator, long[] state, long now,
			long seed) {
		int lost = this.stores.get(who).renew(Map.of(bucket, units)).join().lost();
		assertThat(lost).as("seed %d", seed).isEqualTo((units > 0 && !calculator.holds(state)) ? 1 : 0);
		return calculator.hold(state, units, now);
	}

	private long[] acquire(Bucket bucket, int who, long units, LimitCalculator calculator, long[] state, long now,
			String step) {
		Charge charge = Demands.charge(bucket.family(), bucket.subject(), units);
		AcquireResult answer = this.stores.get(who).acquire(Demands.of(charge)).join();
		long[] cut = calculator.cut(state, now);
		long[] seen = charge.look(cut, now);
		assertThat(answer.verdicts()).as(step)
			.containsExactly(charge.verdict(seen, !charge.rejects(seen, false, now), false, now));
		return (units > 0 && answer.allowed()) ? calculator.take(cut, units, now) : cut;
	}

}
