package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackendTests {

	private static final long MILLI = 1_000_000;

	@Test
	void queuesWhatComesWhileAllSlotsAreBusy() {
		Backend backend = new Backend(new BackendProperties(2, Duration.ofMillis(20), 0));
		long now = System.nanoTime();
		assertThat(backend.finishedAt(now)).isEqualTo(now + 20 * MILLI);
		assertThat(backend.finishedAt(now + MILLI)).isEqualTo(now + 21 * MILLI);
		assertThat(backend.finishedAt(now + 2 * MILLI)).isEqualTo(now + 40 * MILLI);
		assertThat(backend.finishedAt(now + 100 * MILLI)).isEqualTo(now + 120 * MILLI);
	}

	@Test
	void takesAsManyTimesAsLong() {
		Backend backend = new Backend(new BackendProperties(2, Duration.ofMillis(20), 0));
		long now = System.nanoTime();
		backend.slowBy(2);
		assertThat(backend.finishedAt(now)).isEqualTo(now + 40 * MILLI);
	}

	@Test
	void doesWhatItsSlotsAndTheMeanAllow() {
		Backend backend = new Backend(new BackendProperties(32, Duration.ofMillis(20), 0.5));
		long now = System.nanoTime();
		long last = now;
		for (int i = 0; i < 100_000; i++) {
			last = backend.finishedAt(now);
		}
		double perSecond = 100_000 / ((last - now) / 1e9);
		assertThat(perSecond).isBetween(0.98 * 32 / 0.02266, 1.02 * 32 / 0.02266);
	}

}
