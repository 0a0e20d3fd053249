package dev.ratelimit.testing;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ManualClockTests {

	private final ManualClock clock = new ManualClock();

	@Test
	void standsStillUntilItIsSet() {
		assertThat(this.clock.instant()).isEqualTo(ManualClock.START);
		this.clock.advance(Duration.ofSeconds(90));
		assertThat(this.clock.instant()).isEqualTo(ManualClock.START.plusSeconds(90));
		this.clock.reset();
		assertThat(this.clock.instant()).isEqualTo(ManualClock.START);
	}

	@Test
	void doesNotGoBack() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofMillis(-1)));
	}

}
