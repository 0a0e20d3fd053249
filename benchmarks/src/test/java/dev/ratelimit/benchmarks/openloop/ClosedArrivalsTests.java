package dev.ratelimit.benchmarks.openloop;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClosedArrivalsTests {

	@Test
	void aClientAsksAgainWhenItsRequestHasEnded() {
		ClosedArrivals arrivals = new ClosedArrivals(1, Duration.ofMillis(1), Mix.USUAL, Duration.ofSeconds(10));
		Arrivals.Arrival first = arrivals.take();
		assertThat(arrivals.nextDue()).isEqualTo(Long.MAX_VALUE);
		arrivals.ended(first.due() + 5_000_000);
		assertThat(arrivals.nextDue()).isGreaterThan(first.due() + 5_000_000).isLessThan(1_000_000_000);
	}

	@Test
	void nobodyAsksAfterTheEnd() {
		ClosedArrivals arrivals = new ClosedArrivals(3, Duration.ofSeconds(100), Mix.USUAL, Duration.ofNanos(1));
		assertThat(arrivals.nextDue()).isEqualTo(Long.MAX_VALUE);
		assertThat(arrivals.isOver(1)).isTrue();
	}

}
