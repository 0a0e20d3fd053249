package dev.ratelimit;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DecisionTests {

	private static final long NEVER = -1;

	@Test
	void theLongestWaitOfTheLimitsThatRejectCounts() {
		Decision rejected = decision(false, denied(2500), verdict(Outcome.ALLOWED, 0), denied(9001), denied(100),
				verdict(Outcome.SHADOW_REJECTED, 60_000));
		assertThat(rejected.retryAfter()).contains(Duration.ofMillis(9001));
		assertThat(new RateLimitExceededException(rejected).retryAfter()).isEqualTo(rejected.retryAfter());
		assertThat(new RateLimitExceededException(rejected)).hasMessageContaining("9001 ms");
	}

	@Test
	void noWaitHelpsIfOneLimitNeverFits() {
		Decision rejected = decision(false, denied(2500), denied(NEVER));
		assertThat(rejected.retryAfter()).isEmpty();
		assertThat(new RateLimitExceededException(rejected).retryAfter()).isEmpty();
		assertThat(decision(false).retryAfter()).isEmpty();
	}

	@Test
	void allowedDecisionNeedsNoWait() {
		assertThat(decision(true, verdict(Outcome.SHADOW_REJECTED, 60_000)).retryAfter()).contains(Duration.ZERO);
		assertThat(Decision.UNMATCHED.retryAfter()).contains(Duration.ZERO);
	}

	@Test
	void slotsMayBeFreedAtAnyTime() {
		Policy jobs = new Policy("jobs", "jobs", Optional.empty(), OptionalLong.empty(),
				Policy.Unit.CONCURRENT_REQUESTS, false);
		assertThat(decision(false, new Verdict(jobs, Outcome.REJECTED, 1, 0, 60_000, 60_000, 60_000)).retryAfter())
			.contains(Duration.ofSeconds(1));
		assertThat(decision(false, Verdict.unmeasured(jobs, Outcome.FAILED_CLOSED, 1, 10_000)).retryAfter())
			.as("while the store does not respond")
			.contains(Duration.ofSeconds(10));
	}

	@Test
	void anAllowedDecisionRejectsNoCall() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RateLimitExceededException(decision(true, verdict(Outcome.ALLOWED, 0))))
			.withMessageContaining("the decision allows the call");
	}

	@Test
	void verdictsHideWhatTheirNumbersDoNotMean() {
		Verdict measured = new Verdict(Policy.ANY, Outcome.REJECTED, 1, 0, 30, 20, 10);
		assertThat(measured.retryAfter()).contains(Duration.ofMillis(30));
		assertThat(measured.resetAfter()).contains(Duration.ofMillis(20));
		assertThat(measured.nextUnitAfter()).contains(Duration.ofMillis(10));
		Verdict unmeasured = Verdict.unmeasured(Policy.ANY, Outcome.BLOCKED, 1, NEVER);
		assertThat(unmeasured.retryAfter()).isEmpty();
		assertThat(unmeasured.resetAfter()).isEmpty();
		assertThat(unmeasured.nextUnitAfter()).isEmpty();
		assertThat(verdict(Outcome.ALLOWED, 0).retryAfter()).contains(Duration.ZERO);
	}

	private static Decision decision(boolean allowed, Verdict... verdicts) {
		return new Decision(allowed, Reason.LIMIT_EXCEEDED, Source.LOCAL, Arrays.asList(verdicts));
	}

	private static Verdict denied(long retryAfterMillis) {
		return verdict(Outcome.REJECTED, retryAfterMillis);
	}

	private static Verdict verdict(Outcome outcome, long retryAfterMillis) {
		return new Verdict(Policy.ANY, outcome, 1, 0, retryAfterMillis, 0, 0);
	}

}
