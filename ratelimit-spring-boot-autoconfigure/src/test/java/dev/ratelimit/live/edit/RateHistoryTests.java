package dev.ratelimit.live.edit;

import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.engine.RequestTally;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateHistoryTests {

	private static final long START = 1_800_000_000_000L;

	private static final long STEP = RateHistory.STEP_MILLIS;

	private final RequestTally requests = new RequestTally();

	private final RuleTallies tallies = new RuleTallies();

	private final RateHistory history = new RateHistory(this.requests, this.tallies);

	@BeforeEach
	void follow() {
		this.tallies.follow(RuleSet.EMPTY);
		this.history.sample(START);
	}

	@Test
	void thereAreNoStepsBeforeTheFirstSample() {
		RateHistory empty = new RateHistory(this.requests, this.tallies);
		assertThat(empty.all()).containsEntry("to", 0L)
			.hasEntrySatisfying("allowed", (steps) -> assertThat((int[]) steps).isEmpty());
	}

	@Test
	void requestsAreCountedInTheStepInWhichTheyCame() {
		count(3, 0);
		this.history.sample(START + STEP / 2);
		count(1, 429);
		this.history.sample(START + STEP - 1);
		this.history.sample(START + STEP);
		count(2, 503);
		this.history.sample(START + 3 * STEP);
		assertThat(steps("allowed")).containsExactly(3, 0, 0);
		assertThat(rejected()).containsOnlyKeys("429", "503");
		assertThat(rejected().get("429")).containsExactly(1, 0, 0);
		// The requests are counted at the next sample, and their step is not over.
		assertThat(rejected().get("503")).isEmpty();
		assertThat(this.history.all()).containsEntry("to", START + 3 * STEP).containsEntry("step", (int) STEP);
	}

	@Test
	void stepsOfMoreThanAnHourAgoAreForgotten() {
		count(3, 0);
		this.history.sample(START + 1);
		this.history.sample(START + (RateHistory.STEPS - 1) * STEP);
		assertThat(steps("allowed")).hasSize(RateHistory.STEPS - 1).startsWith(3);
		this.history.sample(START + RateHistory.STEPS * STEP);
		assertThat(steps("allowed")).isEmpty();
		count(2, 0);
		this.history.sample(START + 9 * RateHistory.STEPS * STEP);
		this.history.sample(START + (9 * RateHistory.STEPS + 1) * STEP);
		assertThat(steps("allowed")).containsExactly(2);
	}

	@Test
	void aClockThatIsSetBackStaysInItsStep() {
		count(1, 0);
		this.history.sample(START - 100 * STEP);
		count(1, 0);
		this.history.sample(START + 1);
		this.history.sample(START + STEP);
		assertThat(steps("allowed")).containsExactly(2);
	}

	@Test
	void decisionsOfARuleAreThere() {
		String any = Policy.ANY.ruleId();
		Verdict denied = Verdict.unmeasured(Policy.ANY, Outcome.DENY_LISTED, 1, Wait.NEVER);
		this.tallies.decided(List.of(), new Decision(false, Reason.DENY_LISTED, Source.LOCAL, List.of(denied)), 0, 1);
		this.history.sample(START + 1);
		this.history.sample(START + STEP);
		assertThat((int[]) this.history.of(any).get("rejected")).containsExactly(1);
		assertThat((int[]) this.history.of(any).get("allowed")).isEmpty();
		assertThat((int[]) this.history.of("unknown").get("rejected")).isEmpty();
	}

	private void count(int requests, int status) {
		for (int i = 0; i < requests; i++) {
			this.requests.limited();
			if (status > 0) {
				this.requests.rejected(status);
			}
		}
	}

	private int[] steps(String name) {
		return (int[]) this.history.all().get(name);
	}

	@SuppressWarnings("unchecked")
	private Map<String, int[]> rejected() {
		return (Map<String, int[]>) this.history.all().get("rejected");
	}

}
