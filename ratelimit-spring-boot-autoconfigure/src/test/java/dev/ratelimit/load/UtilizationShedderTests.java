package dev.ratelimit.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.Criticality.Level;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class UtilizationShedderTests {

	private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

	private static final int SEATS = 20;

	private static final int FLOWS = 2000;

	/** The default settings, which equal those of Stripe. */
	private static final UtilizationSettings SETTINGS = new UtilizationSettings(80, 70, Duration.ofSeconds(28),
			Duration.ofSeconds(120));

	private final UtilizationShedder shedder = new UtilizationShedder(SETTINGS, SEATS, 0);

	private long nowNanos;

	@Test
	void nothingIsShedWithinTheDelay() {
		use(SEATS, 28);
		assertThat(shed(Level.LOW)).isZero();
	}

	@Test
	void levelsAreShedFromTheLowestUp() {
		use(SEATS, 28 + 20);
		assertThat(shed(Level.LOW)).isCloseTo(0.5, within(0.05));
		assertThat(shed(Level.NORMAL)).isZero();
		use(SEATS, 20);
		assertThat(shed(Level.LOW)).isOne();
		use(SEATS, 10);
		assertThat(shed(Level.NORMAL)).isCloseTo(0.25, within(0.05));
		assertThat(shed(Level.HIGH)).isZero();
		use(SEATS, 1000);
		assertThat(shed(Level.HIGH)).isOne();
		assertThat(shed(Level.CRITICAL)).isZero();
	}

	@Test
	void levelsComeBackAsSlowly() {
		use(SEATS, 1000);
		use(0, 20);
		assertThat(shed(Level.HIGH)).isCloseTo(0.5, within(0.05));
		assertThat(shed(Level.NORMAL)).isOne();
		use(0, 100);
		assertThat(shed(Level.LOW)).isZero();
	}

	@Test
	void inBetweenAllStaysAsItIs() {
		use(SEATS, 28 + 20);
		use(15, 1000);
		assertThat(shed(Level.LOW)).isCloseTo(0.5, within(0.05));
	}

	@Test
	void lessThanFullUseCountsLess() {
		use(18, 2 * (28 + 20));
		assertThat(shed(Level.LOW)).isCloseTo(0.5, within(0.05));
	}

	@Test
	void aClientIsInOrOutForAMinute() {
		use(SEATS, 28 + 20);
		this.nowNanos = Duration.ofMinutes(1).toNanos();
		List<Boolean> first = decisions();
		assertThat(decisions()).isEqualTo(first);
		this.nowNanos += Duration.ofMinutes(1).toNanos();
		this.shedder.uses(15, this.nowNanos);
		assertThat(decisions()).isNotEqualTo(first);
	}

	@Test
	void theGuardShedsThoughSeatsAreFree() {
		LoadGuard guard = guard(false);
		List<Seat> seats = takeAll(guard);
		long laterNanos = 1000 * SECOND_NANOS;
		assertThat(guard.wouldShed(Level.LOW, "a", laterNanos)).isTrue();
		seats.forEach((seat) -> guard.leave(seat, LoadGuard.NO_SAMPLE, laterNanos));
		assertThat(guard.sheds(Level.LOW, "a", laterNanos)).isTrue();
		assertThat(guard.sheds(Level.CRITICAL, "a", laterNanos)).isFalse();
		assertThat(guard.status(Level.LOW).shed()).isOne();
		assertThat(guard.sheds(Level.LOW, "a", 3 * laterNanos)).isFalse();
	}

	@Test
	void inShadowModeItOnlyCounts() {
		LoadGuard guard = guard(true);
		takeAll(guard);
		long laterNanos = 1000 * SECOND_NANOS;
		assertThat(guard.sheds(Level.LOW, "a", laterNanos)).isFalse();
		assertThat(guard.status(Level.LOW).wouldShed()).isOne();
		guard.seat(new Seat(Level.LOW, "a", laterNanos));
		assertThat(guard.status(Level.LOW).wouldShed()).as("counted on arrival").isOne();
		assertThat(guard.sheds(Level.CRITICAL, "b", laterNanos)).isFalse();
		guard.seat(new Seat(Level.CRITICAL, "b", laterNanos));
		assertThat(guard.status(Level.CRITICAL).wouldShed()).as("for lack of a seat").isOne();
	}

	@Test
	void settingsThatCannotBeAreRejected() {
		Duration second = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> new UtilizationSettings(70, 80, second, second))
			.withMessageContaining("'utilization.restore-below'");
		assertThatIllegalArgumentException().isThrownBy(() -> new UtilizationSettings(100, 80, second, second));
		assertThatIllegalArgumentException().isThrownBy(() -> new UtilizationSettings(80, 70, second, Duration.ZERO))
			.withMessageContaining("'utilization.ramp'");
		LoadSettings defaults = LoadSettings.DEFAULT;
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LoadSettings(false, OptionalInt.empty(), defaults.range(), 1, Optional.empty(),
					defaults.shares(), 10, Optional.of(SETTINGS)))
			.withMessageContaining("'limit' to be a number");
	}

	private static LoadGuard guard(boolean shadow) {
		LoadSettings defaults = LoadSettings.DEFAULT;
		return new LoadGuard(new LoadSettings(shadow, OptionalInt.of(SEATS), defaults.range(), 10, Optional.empty(),
				defaults.shares(), 10, Optional.of(SETTINGS)), 0);
	}

	private static List<Seat> takeAll(LoadGuard guard) {
		return IntStream.range(0, SEATS).mapToObj((i) -> guard.seat(new Seat(Level.CRITICAL, "b", 0))).toList();
	}

	// Simulate a guard whose requests begin and end a hundred times per second.
	private void use(int taken, int seconds) {
		for (int i = 0; i < 100 * seconds; i++) {
			this.shedder.uses(taken, this.nowNanos);
			this.nowNanos += SECOND_NANOS / 100;
		}
		this.shedder.uses(taken, this.nowNanos);
	}

	private double shed(Level level) {
		return IntStream.range(0, FLOWS)
			.filter((i) -> this.shedder.sheds(level, "10.0." + i / 256 + "." + i % 256, this.nowNanos))
			.count() / (double) FLOWS;
	}

	private List<Boolean> decisions() {
		List<Boolean> decisions = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			decisions.add(this.shedder.sheds(Level.LOW, "10.0.0." + i, this.nowNanos));
		}
		return decisions;
	}

}
