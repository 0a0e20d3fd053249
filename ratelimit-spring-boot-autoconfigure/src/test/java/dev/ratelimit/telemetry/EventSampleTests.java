package dev.ratelimit.telemetry;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.test.Parallel;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventSampleTests {

	@Test
	void ratiosOfNoneAndAllAreExact() {
		EventSample sample = new EventSample(0, 1, 10);
		assertThat(IntStream.range(0, 1000).filter((i) -> sample.includes(true))).isEmpty();
		assertThat(IntStream.range(0, 1000).filter((i) -> sample.includes(false))).hasSize(1000);
		assertThat(sample.includesAllowed()).isFalse();
		assertThat(new EventSample(0.01, 0, 10).includesAllowed()).isTrue();
	}

	@Test
	void otherRatiosAreAboutRight() {
		EventSample sample = new EventSample(0.25, 0, 10);
		assertThat(IntStream.range(0, 100_000).filter((i) -> sample.includes(true)).count()).isBetween(23_000L,
				27_000L);
	}

	@Test
	void weightsEstimateHowOftenTheMostFrequentOccur() {
		EventSample sample = new EventSample(0.01, 0, 10);
		Random random = new Random(4711);
		long[] counts = new long[1_000];
		double[] estimates = new double[counts.length];
		double[] upTo = new double[counts.length];
		double sum = 0;
		for (int i = 0; i < upTo.length; i++) {
			sum += 1.0 / (i + 1);
			upTo[i] = sum;
		}
		for (int i = 0; i < 10_000_000; i++) {
			int place = Arrays.binarySearch(upTo, random.nextDouble() * sum);
			int subject = (place < 0) ? -place - 1 : place;
			counts[subject]++;
			if (sample.includes(true, random)) {
				estimates[subject] += sample.weight(true);
			}
		}
		for (int i = 0; i < 10; i++) {
			assertThat(estimates[i]).isCloseTo(counts[i], Percentage.withPercentage(10));
		}
	}

	@Test
	void eachSecondHasItsRoom() {
		EventSample sample = new EventSample(1, 1, 10);
		for (long second : new long[] { -5, 0, 7, 8 }) {
			long nanos = TimeUnit.SECONDS.toNanos(second);
			long sent = Parallel
				.run(3, (thread) -> IntStream.range(0, 20).filter((i) -> sample.tryCount(nanos)).count())
				.stream()
				.mapToLong(Long::longValue)
				.sum();
			assertThat(sent).as("second " + second).isEqualTo(10);
		}
	}

	@Test
	void eventsOfAnEarlierSecondTakeTheRoomOfTheLaterOne() {
		EventSample sample = new EventSample(1, 1, 2);
		assertThat(sample.tryCount(TimeUnit.SECONDS.toNanos(8))).isTrue();
		assertThat(sample.tryCount(TimeUnit.SECONDS.toNanos(8) - 1)).isTrue();
		assertThat(sample.tryCount(TimeUnit.SECONDS.toNanos(8) - 1)).isFalse();
		assertThat(sample.tryCount(TimeUnit.SECONDS.toNanos(8))).isFalse();
		assertThat(sample.tryCount(TimeUnit.SECONDS.toNanos(9))).isTrue();
	}

}
