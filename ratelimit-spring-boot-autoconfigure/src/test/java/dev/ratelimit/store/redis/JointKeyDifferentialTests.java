package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.JointFamilies;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.RandomLimits;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random limits of one rule through the calculations in Java, separately, and in
 * Lua, in one key, and verifies that all results are equal. Some instances of the rule
 * have other limits. The message of a failure contains the seed.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class JointKeyDifferentialTests {

	private static final long TODAY = 60_000_000_000L;

	private static final int RUNS = 200;

	private static final int STEPS = 100;

	/**
	 * The maximum duration of a run. Redis deletes a bucket by its own clock, at the
	 * earliest one second after the bucket is full.
	 */
	private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

	private static final List<String> ALGORITHMS = List.copyOf(Algorithms.ids());

	private final AtomicLong clock = new AtomicLong();

	@Test
	void limitsThatLieTogetherCountAsIfEachWereAlone() {
		long seed = System.nanoTime();
		int allowed = 0;
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			RedisLimitStore redis = fixture.store(this.clock::get);
			for (int run = 0; run < RUNS; run++) {
				allowed += compare(redis, seed + run);
			}
		}
		assertThat(allowed).as("seed %d", seed).isBetween(RUNS * STEPS / 20, RUNS * STEPS * 19 / 20);
	}

	/**
	 * The key contains a limit with a lifetime of a thousand years that the next writer
	 * does not know.
	 */
	@Test
	void unknownLimitWithLongLifetimeIsKept() {
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			assertThat(compare(fixture.store(this.clock::get), 68364958847752L)).isPositive();
		}
	}

	private int compare(RedisLimitStore redis, long seed) {
		List<AcquireResult> expected = new ArrayList<>();
		List<AcquireResult> actual = new ArrayList<>();
		long took = STALL_NANOS;
		// Repeat a run that the machine delayed, because its result is inconclusive.
		for (int attempt = 0; took >= STALL_NANOS; attempt++) {
			expected.clear();
			long start = System.nanoTime();
			actual = new Run(redis, new SplittableRandom(seed), "subject-" + seed + "-" + attempt).play(expected);
			took = System.nanoTime() - start;
		}
		for (int step = 0; step < STEPS; step++) {
			assertThat(actual.get(step)).as("seed %d step %d", seed, step).isEqualTo(expected.get(step));
		}
		return (int) actual.stream().filter(AcquireResult::allowed).count();
	}

	private final class Run {

		private final RedisLimitStore redis;

		private final SplittableRandom random;

		private final String subject;

		private final List<BucketFamily> all = new ArrayList<>();

		private final List<List<BucketFamily>> instances = new ArrayList<>();

		private final List<long[]> states = new ArrayList<>();

		private final List<Settlement> charged = new ArrayList<>();

		private final List<Integer> chargedOf = new ArrayList<>();

		Run(RedisLimitStore redis, SplittableRandom random, String subject) {
			this.redis = redis;
			this.random = random;
			this.subject = subject;
			int count = 2 + random.nextInt(3);
			while (this.all.size() < count) {
				Limit limit = RandomLimits.next(random, ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
				BucketFamily family = Demands.family("random", limit);
				// A rule has only one limit for each window.
				if (this.all.stream().noneMatch((other) -> other.label().equals(family.label()))) {
					this.all.add(family);
					this.states.add(LimitCalculator.EMPTY);
				}
			}
			this.instances.add(JointFamilies.join(this.all));
			// Other versions of the rule lack the first or the last limit.
			addVersion(1, this.all.size());
			addVersion(0, this.all.size() - 1);
		}

		// A limit without other limits has a separate key.
		private void addVersion(int from, int to) {
			List<BucketFamily> version = JointFamilies.join(this.all.subList(from, to));
			for (int i = 0; i < version.size(); i++) {
				if (version.get(i).joint().isPresent() != this.instances.get(0).get(from + i).joint().isPresent()) {
					return;
				}
			}
			this.instances.add(version);
		}

		// Wait for each result, because a script that Redis does not know is sent again,
		// out of order.
		List<AcquireResult> play(List<AcquireResult> expected) {
			List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
			long now = TODAY + this.random.nextLong(TODAY);
			for (int step = 0; step < STEPS; step++) {
				long jump = RandomLimits.jump(this.random,
						this.all.get(this.random.nextInt(this.all.size())).calculator().fillMillis());
				// Expiry depends on the time of Redis, which is never set back here.
				now += (this.instances.size() > 1) ? Math.abs(jump) : jump;
				JointKeyDifferentialTests.this.clock.set(now);
				if (this.random.nextInt(5) == 0 && !this.charged.isEmpty()) {
					settle(now);
				}
				answers.add(CompletableFuture.completedFuture(tryAcquire(now, expected)));
			}
			return answers.stream().map(CompletableFuture::join).toList();
		}

		private void settle(long now) {
			int which = Math.max(0, this.charged.size() - 1 - this.random.nextInt(10));
			Settlement charge = this.charged.get(which);
			int index = this.chargedOf.get(which);
			if (this.random.nextInt(4) == 0) {
				charge(index,
						new LateCharge(new Settlement(charge.bucket(), 0, charge.units()),
								System.nanoTime() - TimeUnit.MILLISECONDS
									.toNanos(this.random.nextLong(1 + this.all.get(index).calculator().fillMillis())),
								System.nanoTime() + TimeUnit.MINUTES.toNanos(1)),
						now);
				return;
			}
			long units = (this.random.nextInt(4) == 0) ? this.random.nextLong(2 + charge.units())
					: -this.random.nextLong(charge.units() + 2);
			this.redis.settle(List.of(new Settlement(charge.bucket(), charge.takenAtMillis(), units))).join();
			this.states.set(index,
					this.all.get(index)
						.calculator()
						.settle(this.states.get(index), charge.takenAtMillis(), units, now));
		}

		private void charge(int index, LateCharge late, long now) {
			Settlement charged = this.redis.charge(late).join();
			this.states.set(index,
					this.all.get(index)
						.calculator()
						.takeLate(this.states.get(index), charged.takenAtMillis(), charged.units(), now));
		}

		// Mostly charge all limits of an instance in order, at the same cost.
		private AcquireResult tryAcquire(long now, List<AcquireResult> expected) {
			int version = (this.random.nextInt(4) == 0) ? this.random.nextInt(this.instances.size()) : 0;
			List<BucketFamily> limits = this.instances.get(version);
			boolean plain = this.random.nextInt(3) > 0;
			long common = 1 + RandomLimits.cost(this.random,
					limits.stream().mapToLong((limit) -> limit.calculator().capacity()).min().orElseThrow()) / 2;
			List<Charge> charges = new ArrayList<>();
			List<Integer> indices = new ArrayList<>();
			for (int i = 0; i < limits.size(); i++) {
				if (plain || this.random.nextBoolean() || (i == limits.size() - 1 && charges.isEmpty())) {
					long cost = (plain) ? common
							: RandomLimits.cost(this.random, limits.get(i).calculator().capacity());
					charges.add(Demands.charge(limits.get(i), this.subject, cost));
					indices.add(this.all.indexOf(named(limits.get(i).label())));
				}
			}
			AcquireRequest demand = Demands.of(charges.toArray(Charge[]::new));
			expected.add(decide(demand, indices, now));
			return this.redis.acquire(demand).join();
		}

		private BucketFamily named(String label) {
			return this.all.stream().filter((family) -> family.label().equals(label)).findFirst().orElseThrow();
		}

		private AcquireResult decide(AcquireRequest demand, List<Integer> indices, long now) {
			long[][] seen = new long[indices.size()][];
			boolean allowed = true;
			for (int i = 0; i < seen.length; i++) {
				LimitCalculator calculator = demand.charges().get(i).bucket().family().calculator();
				long[] state = calculator.cut(this.states.get(indices.get(i)), now);
				this.states.set(indices.get(i), state);
				seen[i] = demand.charges().get(i).look(state, now).clone();
				allowed &= !demand.charges().get(i).rejects(seen[i], false, now);
			}
			for (int i = 0; allowed && i < seen.length; i++) {
				Charge charge = demand.charges().get(i);
				if (charge.cost() > 0) {
					int index = indices.get(i);
					this.states.set(index,
							charge.bucket()
								.family()
								.calculator()
								.take(this.states.get(index).clone(), charge.cost(), now));
					this.charged.add(new Settlement(charge.bucket(), now, charge.cost()));
					this.chargedOf.add(index);
				}
			}
			return AcquireResult.of(demand, seen, allowed, ReplayState.NONE, Source.REMOTE, now);
		}

	}

}
