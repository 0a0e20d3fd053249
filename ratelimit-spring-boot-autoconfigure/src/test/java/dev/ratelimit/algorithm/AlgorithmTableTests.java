package dev.ratelimit.algorithm;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the capabilities of each algorithm, and the format of its states.
 */
class AlgorithmTableTests {

	private static final long NOW = 60_000_000_000L;

	private static final Duration SECOND = Duration.ofSeconds(1);

	@ParameterizedTest
	@CsvSource(textBlock = """
			token-bucket,   token-bucket,   REQUESTS,            true,  false, true,  false
			gcra,           gcra,           REQUESTS,            true,  false, false, false
			leaky-bucket,   leaky-bucket,   REQUESTS,            true,  true,  false, false
			fixed-window,   fixed-window,   REQUESTS,            false, false, false, true
			sliding-window, sliding-window, REQUESTS,            false, false, false, false
			sliding-log,    sliding-log,    REQUESTS,            false, false, false, false
			concurrency,    concurrency,    CONCURRENT_REQUESTS, false, false, false, false
			""")
	void capabilities(String id, String script, Policy.Unit unit, boolean refills, boolean holds, boolean credit,
			boolean calendar) {
		Algorithm algorithm = Algorithms.find(id).orElseThrow();
		assertThat(algorithm.id()).isEqualTo(id);
		assertThat(algorithm.script()).isEqualTo(script);
		assertThat(algorithm.unit()).isEqualTo(unit);
		assertThat(algorithm.refillsEvenly()).isEqualTo(refills);
		assertThat(algorithm.holdsRequests()).isEqualTo(holds);
		assertThat(algorithm.givesCredit()).isEqualTo(credit);
		assertThat(algorithm.followsCalendar()).isEqualTo(calendar);
	}

	// The largest number is that of 100 per second, with a burst of 100.
	@ParameterizedTest
	@CsvSource(textBlock = """
			token-bucket,   1, true,  1
			gcra,           1, true,  1
			leaky-bucket,   1, false, 1
			fixed-window,   2, true,  2
			sliding-window, 3, true,  3
			sliding-log,    0, false, 4
			concurrency,    0, false, 2
			""")
	void states(String id, int length, boolean leased, int width) {
		LimitCalculator calculator = calculator(id, 100);
		assertThat(calculator.stateLength()).isEqualTo(length);
		assertThat(calculator.supportsLeasing()).isEqualTo(leased);
		assertThat(calculator.width()).isEqualTo(width);
		assertThat(calculator.look(calculator.take(LimitCalculator.EMPTY, 1, NOW), 1, NOW)).hasSize(width);
		assertThat(calculator.luaArguments(NOW)).isNotEmpty().isSameAs(calculator.luaArguments(NOW));
		assertThat(calculator.meaning()).isNotEmpty();
		for (long number : calculator.take(LimitCalculator.EMPTY, 100, NOW)) {
			assertThat(number).isLessThanOrEqualTo(calculator.largestNumber());
		}
	}

	@Test
	void theLargestNumbersAreBounds() {
		assertThat(calculator("fixed-window", 100).largestNumber()).isEqualTo(Requirements.HORIZON_MILLIS);
		assertThat(calculator("fixed-window", 2_000_000_000_000_000L).largestNumber())
			.isEqualTo(4_000_000_000_000_000L);
		assertThat(calculator("sliding-window", 100).largestNumber()).isEqualTo(Requirements.HORIZON_MILLIS);
		assertThat(calculator("sliding-log", 100).largestNumber()).isEqualTo(Requirements.MAX_EXACT_INTEGER);
		// With a refill of one token per 10 ms, a token has 10 parts.
		assertThat(calculator("token-bucket", 100).largestNumber()).isEqualTo(Requirements.HORIZON_MILLIS + 2 * 1000);
	}

	@Test
	void windowsSayHowLongTheyAreOpen() {
		LimitCalculator fixed = calculator("fixed-window", 100);
		long[] seen = fixed.look(fixed.take(LimitCalculator.EMPTY, 1, NOW + 300), 1, NOW + 400);
		assertThat(fixed.openMillis(seen, NOW + 400)).isEqualTo(600);
		LimitCalculator sliding = calculator("sliding-window", 100);
		assertThat(sliding.openMillis(sliding.take(LimitCalculator.EMPTY, 1, NOW + 300), NOW + 400)).isEqualTo(600);
		assertThat(calculator("gcra", 100).openMillis(LimitCalculator.EMPTY, NOW)).isEqualTo(Long.MAX_VALUE);
		assertThat(fixed.closesMillis(NOW + 400)).isEqualTo(NOW + 1000);
		assertThat(fixed.countsMillis(NOW + 400)).isEqualTo(600);
		assertThat(sliding.closesMillis(NOW + 400)).isEqualTo(NOW + 1000);
		assertThat(sliding.countsMillis(NOW + 400)).isEqualTo(1600);
		assertThat(calculator("gcra", 100).closesMillis(NOW)).isEqualTo(Long.MAX_VALUE);
		assertThat(calculator("gcra", 100).countsMillis(NOW)).isEqualTo(calculator("gcra", 100).fillMillis());
	}

	@Test
	void theNumbersOfAFixedWindowChangeWithTheCalendar() {
		LimitCalculator daily = Algorithms.find("fixed-window")
			.orElseThrow()
			.calculator(new Limit("fixed-window", 10, Duration.ofDays(1), 10, 0,
					Optional.of(new CalendarWindow(CalendarWindow.Unit.DAY, ZoneId.of("UTC"))), false));
		long[] today = daily.luaArguments(NOW);
		assertThat(today).startsWith(10).hasSize(5).isSameAs(daily.luaArguments(NOW + 1));
		assertThat(daily.luaArguments(NOW + Duration.ofDays(1).toMillis())).isNotEqualTo(today);
	}

	@Test
	void creditIsNotLeased() {
		LimitCalculator calculator = Algorithms.find("token-bucket")
			.orElseThrow()
			.calculator(new Limit("token-bucket", 10, SECOND, 10, 5, Optional.empty(), false));
		assertThat(calculator.supportsLeasing()).isFalse();
	}

	@Test
	void anAlgorithmThatIsNotThereIsNamed() {
		Limit limit = new Limit("leaking-bucket", 10, SECOND, 10);
		assertThatIllegalArgumentException().isThrownBy(() -> Algorithms.of(limit))
			.withMessage("there is no algorithm 'leaking-bucket'; the algorithms are concurrency, fixed-window, gcra,"
					+ " leaky-bucket, sliding-log, sliding-window, token-bucket");
		assertThat(Algorithms.of(new Limit("gcra", 10, SECOND, 10)).id()).isEqualTo("gcra");
	}

	@Test
	void unsupportedOptionIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Algorithms.check(new Limit("gcra", 10, SECOND, 10, 5, Optional.empty(), false)))
			.withMessage("only token-bucket supports 'credit'");
		Optional<CalendarWindow> daily = Optional.of(new CalendarWindow(CalendarWindow.Unit.DAY, ZoneId.of("UTC")));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Algorithms.check(new Limit("gcra", 10, Duration.ofDays(1), 10, 0, daily, false)))
			.withMessage("only fixed-window supports 'zone'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Algorithms.check(new Limit("gcra", 10, SECOND, 10, 0, Optional.empty(), true)))
			.withMessage("only concurrency counts concurrent requests");
		Algorithms.check(new Limit("token-bucket", 10, SECOND, 10, 5, Optional.empty(), false));
		Algorithms.check(new Limit("fixed-window", 10, Duration.ofDays(1), 10, 0, daily, false));
	}

	@Test
	void namesOfCapabilities() {
		assertThat(Algorithms.named(Algorithm::refillsEvenly)).isEqualTo("gcra, leaky-bucket, token-bucket");
	}

	private static LimitCalculator calculator(String id, long quantity) {
		boolean concurrent = id.equals("concurrency");
		return Algorithms.find(id)
			.orElseThrow()
			.calculator(new Limit(id, quantity, SECOND, quantity, 0, Optional.empty(), concurrent));
	}

}
