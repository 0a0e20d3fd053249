package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.Demands;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random schedules through the arithmetic in Java and the one in Lua: every answer is the
 * same. The seed is in each failure's message.
 */
@RedisTest
class TokenBucketDifferentialTests {

	private static final long TODAY = 60_000_000_000L;

	/** Keeps all times between the epoch and the end of exact arithmetic, 20 years on. */
	private static final long LONGEST_JUMP = Duration.ofDays(10).toMillis();

	private static final int RUNS = 500;

	private static final int STEPS = 200;

	/**
	 * Redis forgets by its own clock, a second after the bucket is full at the soonest.
	 */
	private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

	private final AtomicLong clock = new AtomicLong();

	@Test
	void javaAndLuaAgreeOnEveryStep() {
		long seed = System.nanoTime();
		int admitted = 0;
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			RedisLimitStore redis = fixture.store(this.clock::get);
			// A script that Redis does not know yet is sent again, out of order.
			redis.check();
			for (int run = 0; run < RUNS; run++) {
				admitted += compare(redis, seed + run);
			}
		}
		assertThat(admitted).as("seed %d", seed).isBetween(RUNS * STEPS / 10, RUNS * STEPS * 9 / 10);
	}

	private int compare(RedisLimitStore redis, long seed) {
		List<Answer> expected = new ArrayList<>();
		List<Answer> actual = new ArrayList<>();
		long took = STALL_NANOS;
		// A run that the machine held up proves nothing: do it again.
		for (int attempt = 0; took >= STALL_NANOS; attempt++) {
			expected.clear();
			long start = System.nanoTime();
			actual = play(redis, new SplittableRandom(seed), "subject-" + seed + "-" + attempt, expected);
			took = System.nanoTime() - start;
		}
		for (int step = 0; step < STEPS; step++) {
			assertThat(actual.get(step)).as("seed %d step %d", seed, step).isEqualTo(expected.get(step));
		}
		return (int) actual.stream().filter(Answer::admitted).count();
	}

	// One bucket's schedule, sent without waiting for answers.
	private List<Answer> play(RedisLimitStore redis, SplittableRandom random, String subject, List<Answer> expected) {
		BucketFamily family = family(random);
		Arithmetic arithmetic = family.arithmetic();
		List<CompletableFuture<Answer>> answers = new ArrayList<>();
		long[] state = Arithmetic.EMPTY;
		long now = TODAY + random.nextLong(TODAY);
		for (int step = 0; step < STEPS; step++) {
			now += jump(random, Math.min(arithmetic.fillMillis(), LONGEST_JUMP));
			this.clock.set(now);
			Charge charge = Demands.charge(family, subject, cost(random, arithmetic.capacity()));
			Demand demand = Demands.of(charge);
			answers.add(redis.acquire(demand));
			expected.add(Answer.of(demand, new long[][] { state }, !charge.refuses(state, false, now), false,
					Source.REMOTE, now));
			state = (charge.takes(state, false, now)) ? arithmetic.take(state, charge.cost(), now) : state;
		}
		return answers.stream().map(CompletableFuture::join).toList();
	}

	private static BucketFamily family(SplittableRandom random) {
		while (true) {
			long quantity = scaled(random, 6);
			long periodMillis = scaled(random, 9);
			long burst = (random.nextBoolean()) ? quantity : scaled(random, 6);
			try {
				return Demands.family("random",
						new Limit(Algorithms.DEFAULT, quantity, Duration.ofMillis(periodMillis), burst));
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).hasMessageMatching(".*(burst|faster than).*");
			}
		}
	}

	private static long jump(SplittableRandom random, long longest) {
		return switch (random.nextInt(12)) {
			case 0 -> -random.nextLong(1 + longest / 4);
			case 1 -> -random.nextLong(3);
			case 2 -> random.nextLong(1 + 2 * longest);
			case 3, 4, 5 -> 0;
			default -> random.nextLong(2 + longest / 10);
		};
	}

	private static long cost(SplittableRandom random, long capacity) {
		return switch (random.nextInt(8)) {
			case 0 -> 0;
			case 1 -> random.nextLong(capacity + 2);
			case 2 -> random.nextLong(1 + capacity / 2);
			default -> 1 + random.nextLong(1 + capacity / 8);
		};
	}

	// Between 1 and a power of ten, each size as likely as another.
	private static long scaled(SplittableRandom random, int digits) {
		long bound = 10;
		for (int i = random.nextInt(digits); i > 0; i--) {
			bound *= 10;
		}
		return random.nextLong(1, bound + 1);
	}

}
