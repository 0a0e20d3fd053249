package dev.ratelimit.store.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the time for which a rejection is remembered.
 */
class LatelyDeniedTests {

	private final BucketFamily family = Demands.perMinute("rule", 10);

	private final AcquireRequest demand = Demands.of(Demands.charge(this.family, "ann", 1));

	private final AtomicLong nanos = new AtomicLong();

	private final LatelyDenied denied = new LatelyDenied(this.nanos::get);

	private void record(Outcome outcome, long retryAfterMillis) {
		this.denied.record(this.demand,
				List.of(new Verdict(this.family.policy(), outcome, 1, 0, retryAfterMillis, 0, 0)));
	}

	@ParameterizedTest
	@CsvSource({ "1, 1000", "1500, 1500", "60000, 10000", "-1, 10000" })
	void aRejectionIsRememberedForItsWaitWithinBounds(long retryAfterMillis, long remembered) {
		record(Outcome.REJECTED, retryAfterMillis);
		this.nanos.set(Duration.ofMillis(remembered - 1).toNanos());
		assertThat(this.denied.knows(this.demand)).isTrue();
		this.nanos.set(Duration.ofMillis(remembered + 1).toNanos());
		assertThat(this.denied.knows(this.demand)).isFalse();
	}

	@Test
	void onlyWhatRejectedIsRemembered() {
		record(Outcome.ALLOWED, 0);
		record(Outcome.SHADOW_REJECTED, 1000);
		record(Outcome.REPLAYED, 0);
		assertThat(this.denied.knows(this.demand)).isFalse();
	}

	@Test
	void onlyAChargeThatCanRejectIsLookedUp() {
		record(Outcome.REJECTED, 1000);
		assertThat(this.denied.knows(Demands.of(Demands.charge(this.family, "ann", 0)))).isFalse();
		assertThat(this.denied.knows(Demands.of(Demands.shadow(this.family, "ann", 1)))).isFalse();
		assertThat(this.denied.knows(Demands.of(Demands.charge(this.family, "bob", 1)))).isFalse();
		assertThat(this.denied.knows(Demands.of(Demands.charge(this.family, "ann", 5)))).isTrue();
	}

}
