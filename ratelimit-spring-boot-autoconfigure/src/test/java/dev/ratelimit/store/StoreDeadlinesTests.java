package dev.ratelimit.store;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoreDeadlinesTests {

	private static final Duration USUAL = Duration.ofMillis(50);

	@Test
	void theLongestIsThatOfTheFarthestStore() {
		StoreDeadlines deadlines = new StoreDeadlines(USUAL,
				Map.of("far", Duration.ofSeconds(8), "near", Duration.ofMillis(20)));
		assertThat(deadlines.longestCall()).isEqualTo(Duration.ofSeconds(40));
		assertThat(deadlines.beyondNanos("far")).isEqualTo(Duration.ofMillis(7_950).toNanos());
		assertThat(deadlines.beyondNanos("near")).isEqualTo(Duration.ofMillis(-30).toNanos());
		assertThat(deadlines.beyondNanos("default")).isZero();
	}

	@Test
	void theLongestIsTheUsualOneIfNoneIsLonger() {
		assertThat(StoreDeadlines.of(USUAL).longestCall()).isEqualTo(USUAL.multipliedBy(5));
		assertThat(new StoreDeadlines(USUAL, Map.of("near", Duration.ofMillis(20))).longestCall())
			.isEqualTo(USUAL.multipliedBy(5));
	}

}
