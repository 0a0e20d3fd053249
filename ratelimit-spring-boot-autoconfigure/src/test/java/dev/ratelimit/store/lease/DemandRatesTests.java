package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class DemandRatesTests {

	private final BucketFamily family = Demands.family("rates",
			new Limit("token-bucket", 1000, Duration.ofMinutes(1), 1000));

	private final DemandRates rates = new DemandRates();

	// The value of the nano clock, 15 seconds before it becomes positive.
	private long nanos = -TimeUnit.SECONDS.toNanos(15);

	private double record(String subject, long units) {
		return this.rates.record(new Bucket(this.family, subject), units, this.nanos);
	}

	private void pass(double millis) {
		this.nanos += (long) (millis * 1e6);
	}

	@Test
	void aSteadyDemandIsToldInUnitsPerSecond() {
		double rate = 0;
		for (int i = 0; i < 3000; i++) {
			rate = record("ann", 3);
			pass(10);
		}
		assertThat(rate).isCloseTo(300, within(10.0));
	}

	@Test
	void aLargeDemandIsToldAsWell() {
		double rate = 0;
		for (int i = 0; i < 3000; i++) {
			rate = record("ann", 20_000);
			pass(5);
		}
		assertThat(rate).isCloseTo(4_000_000, within(100_000.0));
	}

	@Test
	void demandRateDecaysOverTime() {
		record("ann", 1000);
		pass(500);
		assertThat(record("ann", 0)).isCloseTo(2000 / Math.E, within(20.0));
		pass(TimeUnit.MINUTES.toMillis(1));
		assertThat(record("ann", 0)).isZero();
	}

	@Test
	void clockSetBackDoesNotChangeRate() {
		record("ann", 10);
		pass(9);
		record("ann", 10);
		pass(-9);
		assertThat(record("ann", 0)).isCloseTo(40, within(1.0));
	}

	@Test
	void manyQuietBucketsAreNotTakenForBusyOnes() {
		Random random = new Random(42);
		double highest = 0;
		for (int i = 0; i < 500_000; i++) {
			highest = Math.max(highest, record("caller" + random.nextInt(100_000), 1));
			pass(0.011);
		}
		// A few requests of a bucket may follow each other closely by chance.
		assertThat(highest).isLessThan(20);
	}

	@Test
	void aBusyBucketIsSeenAmongManyQuietOnes() {
		double rate = 0;
		for (int i = 0; i < 2000; i++) {
			rate = record("ann", 1);
			for (int quiet = 0; quiet < 500; quiet++) {
				record("caller" + (i * 500 + quiet), 1);
			}
			pass(10);
		}
		assertThat(rate).isCloseTo(100, within(5.0));
	}

}
