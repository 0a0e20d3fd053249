package dev.ratelimit.algorithm;

import java.util.SplittableRandom;

import dev.ratelimit.Limit;
import dev.ratelimit.test.RandomLimits;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests properties of all algorithms, limits, and schedules. jqwik reports the seed of a
 * failing schedule.
 */
class AlgorithmPropertyTests {

	private static final long TODAY = 60_000_000_000L;

	@Provide
	Arbitrary<String> algorithms() {
		return Arbitraries.of(Algorithms.ids());
	}

	// Exclude concurrency, because the time at which a slot becomes free is unknown.
	@Provide
	Arbitrary<String> foreseeing() {
		return Arbitraries.of(Algorithms.ids())
			.filter((algorithm) -> !Algorithms.find(algorithm).orElseThrow().countsConcurrentRequests());
	}

	@Property
	void retryAfterIsExactToTheMillisecond(@ForAll("foreseeing") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		for (int i = 0; i < 100; i++) {
			schedule.step();
			long cost = 1 + schedule.random.nextLong(schedule.calculator.capacity());
			long wait = schedule.read(cost, schedule.now).retryAfterMillis();
			assertThat(schedule.fits(cost, schedule.now + wait)).isTrue();
			assertThat(wait == 0 || !schedule.fits(cost, schedule.now + wait - 1)).isTrue();
		}
	}

	@Property
	void theRemainingGrowsWhenToldAndNotAMillisecondEarlier(@ForAll("foreseeing") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		for (int i = 0; i < 100; i++) {
			schedule.step();
			BucketSnapshot reading = schedule.read(0, schedule.now);
			long later = schedule.now + reading.nextUnitMillis();
			assertThat(reading.nextUnitMillis() == 0).isEqualTo(reading.remaining() == schedule.full());
			if (reading.nextUnitMillis() > 0) {
				assertThat(schedule.read(0, later).remaining()).isGreaterThan(reading.remaining());
				assertThat(schedule.read(0, later - 1).remaining()).isEqualTo(reading.remaining());
			}
		}
	}

	@Property
	void theBucketIsFullWhenToldAndNotAMillisecondEarlier(@ForAll("algorithms") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		for (int i = 0; i < 100; i++) {
			schedule.step();
			long reset = schedule.read(0, schedule.now).resetAfterMillis();
			assertThat(reset).isEqualTo(schedule.calculator.fullInMillis(schedule.state, schedule.now));
			BucketSnapshot full = new BucketSnapshot(true, schedule.full(), 0, 0, 0);
			assertThat(schedule.read(0, schedule.now + reset)).isEqualTo(full);
			assertThat(reset == 0 || schedule.read(0, schedule.now + reset - 1).resetAfterMillis() == 1).isTrue();
		}
	}

	@Property
	void theRemainingIsBetweenNothingAndTheCapacity(@ForAll("algorithms") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		for (int i = 0; i < 100; i++) {
			BucketSnapshot reading = schedule.step();
			assertThat(reading.remaining()).isBetween(0L, schedule.full());
			assertThat(reading.retryAfterMillis() == Wait.NEVER)
				.isEqualTo(schedule.cost > schedule.calculator.capacity());
			assertThat(schedule.fits(reading.remaining(), schedule.now)).isTrue();
		}
	}

	@Property
	void aLookChangesNothing(@ForAll("algorithms") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		for (int i = 0; i < 100; i++) {
			schedule.step();
			long[] before = schedule.state.clone();
			schedule.read(schedule.calculator.capacity(), schedule.now + schedule.random.nextLong(1000));
			assertThat(schedule.state).isEqualTo(before);
		}
	}

	@Property
	void aClockThatStepsBackAddsNothingAndLocksOutForNoLongerThanTheLimitSays(@ForAll("algorithms") String algorithm,
			@ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		long most = longestWait(schedule);
		for (int i = 0; i < 100; i++) {
			schedule.stepForward();
			BucketSnapshot before = schedule.read(1, schedule.now);
			schedule.setBack();
			BucketSnapshot after = schedule.read(schedule.calculator.capacity(), schedule.now);
			assertThat(after.remaining()).isLessThanOrEqualTo(before.remaining());
			assertThat(after.retryAfterMillis()).isLessThanOrEqualTo(most);
			assertThat(after.resetAfterMillis()).isLessThanOrEqualTo(most);
			assertThat(schedule.read(0, schedule.now + most).remaining()).isEqualTo(schedule.full());
		}
	}

	// With debt, the maximum is two windows. For calendar windows, it is the rest of one
	// window and the next one.
	private static long longestWait(Schedule schedule) {
		long periodMillis = schedule.limit.period().toMillis();
		return switch (schedule.limit.algorithm()) {
			case "fixed-window" ->
				(schedule.limit.calendar().isPresent()) ? 2 * schedule.calculator.fillMillis() : periodMillis;
			case "sliding-window" -> 2 * periodMillis;
			case "sliding-log", "concurrency" -> periodMillis;
			default -> 2 * Math.max(schedule.calculator.fillMillis(), 1 + periodMillis * 100 / 99);
		};
	}

	@Property(tries = 300)
	void noMoreIsAllowedThanTheAlgorithmPromisesHoweverTheClockIsSetBack(@ForAll("foreseeing") String algorithm,
			@ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		long[] at = new long[200];
		long[] units = new long[200];
		for (int to = 0; to < at.length; to++) {
			if (schedule.random.nextInt(8) == 0) {
				schedule.setBack();
			}
			long before = schedule.now;
			units[to] = (schedule.stepForward().fits()) ? schedule.cost : 0;
			at[to] = ((to == 0) ? 0 : at[to - 1]) + schedule.now - before;
			long sum = 0;
			for (int from = to; from >= 0; from--) {
				sum += units[from];
				assertThat(sum).isLessThanOrEqualTo(promised(schedule.limit, at[to] - at[from]));
			}
		}
	}

	@Property
	void settlementsLeaveAtMostTwiceTheCapacityAndNeverLessThanNothing(@ForAll("algorithms") String algorithm,
			@ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		long most = 2 * schedule.calculator.fillMillis();
		for (int i = 0; i < 100; i++) {
			schedule.stepForward();
			long takenAt = schedule.now - schedule.random.nextLong(3);
			schedule.settle(takenAt, schedule.random.nextLong(-10, 10) * schedule.calculator.capacity());
			assertThat(schedule.calculator.fullInMillis(schedule.state, schedule.now)).isBetween(0L, most);
			BucketSnapshot reading = schedule.read(schedule.calculator.capacity(), schedule.now);
			assertThat(reading.remaining()).isBetween(0L, schedule.full());
			assertThat(reading.retryAfterMillis()).isBetween(0L, most);
		}
	}

	@Property(tries = 300)
	void noMoreIsAllowedThanTheAlgorithmPromises(@ForAll("algorithms") String algorithm, @ForAll long seed) {
		Schedule schedule = Schedule.random(algorithm, seed);
		long[] at = new long[200];
		long[] units = new long[200];
		for (int to = 0; to < at.length; to++) {
			units[to] = (schedule.stepForward().fits()) ? schedule.cost : 0;
			at[to] = schedule.now;
			long sum = 0;
			for (int from = to; from >= 0; from--) {
				sum += units[from];
				assertThat(sum).isLessThanOrEqualTo(promised(schedule.limit, at[to] - at[from]));
			}
		}
	}

	// Return the maximum number of units in the given milliseconds, including both ends.
	private static long promised(Limit limit, long millis) {
		long periodMillis = limit.period().toMillis();
		return switch (limit.algorithm()) {
			case "fixed-window", "sliding-window" -> limit.quantity() * (2 + millis / shortestMillis(limit));
			case "sliding-log", "concurrency" -> limit.quantity() * (1 + millis / periodMillis);
			default -> limit.burst() + limit.credit() + (long) (limit.quantity() * (double) millis / periodMillis);
		};
	}

	// Return the minimum length of a calendar window: February, or a change to daylight
	// saving time.
	private static long shortestMillis(Limit limit) {
		long periodMillis = limit.period().toMillis();
		return limit.calendar().map((calendar) -> switch (calendar.unit()) {
			case HOUR -> periodMillis / 2;
			case DAY -> periodMillis * 23 / 24;
			case WEEK -> periodMillis * 6 / 7;
			case MONTH -> periodMillis * 27 / 31;
		}).orElse(periodMillis);
	}

	/**
	 * A bucket with random charges.
	 */
	private static final class Schedule {

		private final SplittableRandom random;

		private final Limit limit;

		private final LimitCalculator calculator;

		private long[] state = LimitCalculator.EMPTY;

		private long now = TODAY;

		private long cost;

		private Schedule(SplittableRandom random, Limit limit) {
			this.random = random;
			this.limit = limit;
			this.calculator = Algorithms.find(limit.algorithm()).orElseThrow().calculator(limit);
		}

		static Schedule random(String algorithm, long seed) {
			SplittableRandom random = new SplittableRandom(seed);
			return new Schedule(random, RandomLimits.next(random, algorithm));
		}

		BucketSnapshot step() {
			return charge(RandomLimits.jump(this.random, this.calculator.fillMillis()));
		}

		BucketSnapshot stepForward() {
			return charge(Math.max(0, RandomLimits.jump(this.random, this.calculator.fillMillis())));
		}

		void setBack() {
			long longest = Math.min(this.calculator.fillMillis(), TODAY / 1000);
			this.now -= this.random.nextLong(1 + ((this.random.nextBoolean()) ? longest / 10 : 5 * longest));
			this.state = this.calculator.cut(this.state, this.now);
		}

		void settle(long takenAt, long units) {
			this.state = this.calculator.settle(this.state, takenAt, units, this.now);
		}

		boolean fits(long units, long at) {
			return this.calculator.fits(this.calculator.look(this.state, units, at), units, at);
		}

		BucketSnapshot read(long units, long at) {
			return this.calculator.read(this.calculator.look(this.state, units, at), units, false, at);
		}

		long full() {
			return this.calculator.read(this.calculator.look(LimitCalculator.EMPTY, 0, this.now), 0, false, this.now)
				.remaining();
		}

		private BucketSnapshot charge(long jump) {
			this.now += jump;
			this.cost = RandomLimits.cost(this.random, this.calculator.capacity());
			this.state = this.calculator.cut(this.state, this.now);
			long[] seen = this.calculator.look(this.state, this.cost, this.now);
			boolean takes = this.cost > 0 && this.calculator.fits(seen, this.cost, this.now);
			BucketSnapshot reading = this.calculator.read(seen, this.cost, takes, this.now);
			this.state = (takes) ? this.calculator.take(this.state, this.cost, this.now) : this.state;
			return reading;
		}

	}

}
