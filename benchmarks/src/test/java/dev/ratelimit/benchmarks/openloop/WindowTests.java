package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class WindowTests {

	private static final long SECOND = 1_000_000_000;

	private final List<Sample> samples = new ArrayList<>();

	@Test
	void countsByWhenRequestsWereDue() {
		add(10, 0, Outcome.GOOD);
		add(30, 0, Outcome.SHED);
		add(10, 1, Outcome.LATE);
		assertThat(window(1).goodput()).isEqualTo(10);
		assertThat(window(1).share(Outcome.SHED)).isEqualTo(0.75);
		assertThat(window(2).goodput()).isEqualTo(5);
		assertThat(window(2).lost()).isCloseTo(0.8, within(1e-9));
	}

	@Test
	void timesAreThoseOfGoodResponses() {
		for (int millis = 1; millis <= 100; millis++) {
			this.samples.add(new Sample(0, 0, Level.HIGH, 0, Outcome.GOOD, millis * 1_000_000L));
		}
		add(50, 0, Outcome.SHED);
		assertThat(window(1).p99()).isEqualTo(99);
	}

	@Test
	void isSettledFromWhenOnAllPartsAreGood() {
		add(100, 0, Outcome.LATE);
		add(100, 1, Outcome.GOOD);
		add(10, 2, Outcome.GOOD);
		add(95, 3, Outcome.GOOD);
		assertThat(window(2).settledAfter(1, 90)).isEqualTo(1);
		assertThat(window(3).settledAfter(1, 90)).isInfinite();
		assertThat(window(4).settledAfter(1, 90)).isEqualTo(3);
		assertThat(window(4).settledAfter(1, 5)).isEqualTo(1);
	}

	private void add(int requests, int second, Outcome outcome) {
		for (int i = 0; i < requests; i++) {
			this.samples.add(new Sample(second * SECOND + i, 0, Level.NORMAL, 0, outcome, 0));
		}
	}

	private Window window(int seconds) {
		return Window.of(this.samples, 0, seconds * SECOND);
	}

}
