package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.RandomLimits;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random schedules through the calculations in Java and Lua and verifies that all
 * results are equal. The message of a failure contains the seed.
 */
@RedisTest
class DifferentialTests {

	private static final long TODAY = 60_000_000_000L;

	private static final int RUNS = 150;

	private static final int MANY_RUNS = Integer.getInteger("test.differential.runs", 500);

	private static final int STEPS = 200;

	/**
	 * The maximum duration of a run. Redis deletes a bucket by its own clock, at the
	 * earliest one second after the bucket is full.
	 */
	private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

	private final AtomicLong clock = new AtomicLong();

	static Set<String> algorithms() {
		return Algorithms.ids();
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void javaAndLuaAgreeOnEveryStep(String algorithm) {
		compare(algorithm, RUNS);
	}

	@Tag("long")
	@Tag("nightly")
	@ParameterizedTest
	@MethodSource("algorithms")
	void javaAndLuaAgreeOnEveryStepOfManyRuns(String algorithm) {
		compare(algorithm, MANY_RUNS);
	}

	private void compare(String algorithm, int runs) {
		long seed = System.nanoTime();
		int allowed = 0;
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			RedisLimitStore redis = fixture.store(this.clock::get);
			loadScripts(redis, algorithm);
			for (int run = 0; run < runs; run++) {
				allowed += compare(redis, algorithm, seed + run);
			}
		}
		assertThat(allowed).as("seed %d", seed).isBetween(runs * STEPS / 10, runs * STEPS * 9 / 10);
	}

	// A script that Redis does not know yet is sent again, out of order.
	private static void loadScripts(RedisLimitStore redis, String algorithm) {
		BucketFamily family = Demands.family("load", RandomLimits.next(new SplittableRandom(1), algorithm));
		redis.acquire(Demands.of(Demands.charge(family, "load", 1))).join();
		redis.acquire(Demands.of(Demands.charge(family, "load", 0))).join();
		redis.settle(List.of(new Settlement(new Bucket(family, "load"), 0, 1))).join();
	}

	private int compare(RedisLimitStore redis, String algorithm, long seed) {
		List<AcquireResult> expected = new ArrayList<>();
		List<AcquireResult> actual = new ArrayList<>();
		BucketFamily family = Demands.family("random", RandomLimits.next(new SplittableRandom(seed), algorithm));
		long took = STALL_NANOS;
		// Repeat a run that the machine delayed, because its result is inconclusive.
		for (int attempt = 0; took >= STALL_NANOS; attempt++) {
			expected.clear();
			long start = System.nanoTime();
			try {
				actual = play(redis, family, new SplittableRandom(seed), "subject-" + seed + "-" + attempt, expected);
				took = System.nanoTime() - start;
			}
			catch (CompletionException ex) {
				// The delay was so long that a call was not sent.
				took = System.nanoTime() - start;
				assertThat(took).as(() -> "seed " + seed + ": " + ex).isGreaterThanOrEqualTo(STALL_NANOS);
			}
		}
		for (int step = 0; step < STEPS; step++) {
			assertThat(actual.get(step)).as("seed %d step %d", seed, step).isEqualTo(expected.get(step));
		}
		return (int) actual.stream().filter(AcquireResult::allowed).count();
	}

	// Run the schedule of one bucket, without waiting for results.
	private List<AcquireResult> play(RedisLimitStore redis, BucketFamily family, SplittableRandom random,
			String subject, List<AcquireResult> expected) {
		LimitCalculator calculator = family.calculator();
		List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
		List<Settlement> charged = new ArrayList<>();
		long[] state = LimitCalculator.EMPTY;
		long now = TODAY + random.nextLong(TODAY);
		for (int step = 0; step < STEPS; step++) {
			now += RandomLimits.jump(random, calculator.fillMillis());
			this.clock.set(now);
			if (random.nextInt(6) == 0 && !charged.isEmpty()) {
				Settlement settlement = settlement(random, charged, calculator.capacity());
				redis.settle(List.of(settlement));
				state = calculator.settle(state, settlement.takenAtMillis(), settlement.units(), now);
			}
			if (random.nextInt(12) == 0) {
				Settlement late = redis.charge(late(random, new Bucket(family, subject))).join();
				state = calculator.takeLate(state, late.takenAtMillis(), late.units(), now);
			}
			Charge charge = Demands.charge(family, subject, RandomLimits.cost(random, calculator.capacity()));
			AcquireRequest demand = Demands.of(charge);
			state = calculator.cut(state, now);
			answers.add(redis.acquire(demand));
			AcquireResult answer = answer(demand, charge.look(state, now), now);
			expected.add(answer);
			if (answer.allowed() && charge.cost() > 0) {
				state = calculator.take(state, charge.cost(), now);
				charged.add(new Settlement(charge.bucket(), now, charge.cost()));
			}
		}
		return answers.stream().map(CompletableFuture::join).toList();
	}

	// Return a late charge whose time is at most two fill times ago.
	private static LateCharge late(SplittableRandom random, Bucket bucket) {
		LimitCalculator calculator = bucket.family().calculator();
		return new LateCharge(new Settlement(bucket, 0, 1 + random.nextLong(calculator.capacity())),
				System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(random.nextLong(1 + 2 * calculator.fillMillis())),
				System.nanoTime() + STALL_NANOS);
	}

	private static AcquireResult answer(AcquireRequest demand, long[] seen, long now) {
		boolean allowed = !demand.charges().get(0).rejects(seen, false, now);
		return AcquireResult.of(demand, new long[][] { seen }, allowed, ReplayState.NONE, Source.REMOTE, now);
	}

	// Correct one of the latest charges: mostly a refund of at most the charge.
	private static Settlement settlement(SplittableRandom random, List<Settlement> charged, long capacity) {
		int latest = Math.min(10, charged.size());
		Settlement charge = charged.get(charged.size() - 1 - random.nextInt(latest));
		long units = (random.nextInt(4) == 0) ? random.nextLong(2 + 3 * capacity)
				: -random.nextLong(charge.units() + 2);
		return new Settlement(charge.bucket(), charge.takenAtMillis(), units);
	}

}
