package dev.ratelimit.store;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExhaustedBucketsTests {

	private long nanos;

	private final ExhaustedBuckets buckets = new ExhaustedBuckets(() -> this.nanos);

	private final BucketFamily family = Demands.perMinute("search", 10);

	@Test
	void aRejectionOfAHigherCostDoesNotReplaceThatOfALowerOne() {
		reject(1, 30_000);
		reject(5, 40_000);
		assertThat(verdict(1)).isPresent();
		assertThat(verdict(5)).isPresent();
		this.nanos = 30_000_000_000L;
		assertThat(verdict(1)).isEmpty();
	}

	@Test
	void aRejectionOfAHigherCostShowsThatUnitsWereRefunded() {
		reject(1, 30_000);
		reject(5, 40_000, 3);
		assertThat(verdict(1)).isEmpty();
		assertThat(verdict(5)).isPresent();
	}

	@Test
	void aRejectionOfALowerCostReplacesThatOfAHigherOne() {
		reject(5, 40_000);
		assertThat(verdict(1)).isEmpty();
		reject(1, 30_000);
		assertThat(verdict(1)).isPresent();
	}

	private void reject(long cost, long retryAfterMillis) {
		reject(cost, retryAfterMillis, 0);
	}

	private void reject(long cost, long retryAfterMillis, long remaining) {
		Charge charge = Demands.charge(this.family, "ann", cost);
		Verdict verdict = new Verdict(this.family.policy(), Outcome.REJECTED, cost, remaining, retryAfterMillis, 60_000,
				6_000);
		this.buckets.record(AcquireResult.of(Demands.of(charge), false, Source.REMOTE, 0, List.of(verdict)));
	}

	private Optional<Verdict> verdict(long cost) {
		return this.buckets.verdict(Demands.charge(this.family, "ann", cost));
	}

}
