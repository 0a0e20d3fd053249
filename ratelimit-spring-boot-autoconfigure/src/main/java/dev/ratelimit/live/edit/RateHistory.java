package dev.ratelimit.live.edit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.actuate.RuleTally;
import dev.ratelimit.engine.RequestTally;

/**
 * Counts of the requests that this instance, and each of its rules, has allowed and
 * rejected, in steps of ten seconds of the last hour. A rule without requests uses no
 * memory, any other rule about 3 kB. Thread-safe.
 */
final class RateHistory {

	static final int STEP_MILLIS = 10_000;

	static final int STEPS = 360;

	private final RequestTally requests;

	private final RuleTallies tallies;

	private final Counts allowed = new Counts();

	private final Map<Integer, Counts> rejected = new TreeMap<>();

	private final Map<String, RuleCounts> rules = new HashMap<>();

	/** The number of the current step since 1970; 0 before the first sample. */
	private long current;

	RateHistory(RequestTally requests, RuleTallies tallies) {
		this.requests = requests;
		this.tallies = tallies;
	}

	/**
	 * Add the counts since the last sample to the current step.
	 * @param nowMillis the time, in milliseconds since 1970
	 */
	synchronized void sample(long nowMillis) {
		advance(nowMillis / STEP_MILLIS);
		this.allowed.add(this.requests.allowed(), this.current);
		this.requests.rejected()
			.forEach((status, count) -> this.rejected.computeIfAbsent(status, (any) -> new Counts())
				.add(count, this.current));
		Map<String, RuleTally> present = new HashMap<>();
		this.tallies.tallies().forEach((tally) -> present.put(tally.rule(), tally));
		this.rules.keySet().retainAll(present.keySet());
		present.values().forEach(this::sample);
	}

	private void sample(RuleTally tally) {
		long allowed = tally.allowed();
		long rejected = tally.rejected();
		if (allowed + rejected > 0) {
			RuleCounts rule = this.rules.computeIfAbsent(tally.rule(), (id) -> new RuleCounts());
			rule.allowed().add(allowed, this.current);
			rule.rejected().add(rejected, this.current);
		}
	}

	// If the clock is set back, the current step is kept.
	private void advance(long step) {
		if (this.current == 0) {
			this.current = step;
		}
		while (this.current < step) {
			this.current = Math.max(this.current + 1, step - STEPS);
			this.allowed.clear(this.current);
			this.rejected.values().forEach((counts) -> counts.clear(this.current));
			this.rules.values().forEach((counts) -> {
				counts.allowed().clear(this.current);
				counts.rejected().clear(this.current);
			});
		}
	}

	/**
	 * Return the counts of all requests.
	 * @return the completed steps: {@code to}, the end of the last step; {@code step}, in
	 * milliseconds; {@code allowed}, the oldest step first; {@code rejected}, by status
	 */
	synchronized Map<String, Object> all() {
		Map<String, int[]> byStatus = new TreeMap<>();
		this.rejected.forEach((status, counts) -> byStatus.put(status.toString(), counts.steps(this.current)));
		return description(this.allowed.steps(this.current), byStatus);
	}

	/**
	 * Return the counts of the requests of a rule.
	 * @param ruleId the rule
	 * @return the same, with the number of the rule's rejections
	 */
	synchronized Map<String, Object> of(String ruleId) {
		RuleCounts counts = this.rules.get(ruleId);
		return (counts != null)
				? description(counts.allowed().steps(this.current), counts.rejected().steps(this.current))
				: description(new int[0], new int[0]);
	}

	private Map<String, Object> description(int[] allowed, Object rejected) {
		Map<String, Object> description = new HashMap<>();
		description.put("to", this.current * STEP_MILLIS);
		description.put("step", STEP_MILLIS);
		description.put("allowed", allowed);
		description.put("rejected", rejected);
		return description;
	}

	private record RuleCounts(Counts allowed, Counts rejected) {

		RuleCounts() {
			this(new Counts(), new Counts());
		}

	}

	/**
	 * A count by steps.
	 */
	private static final class Counts {

		private final int[] ring = new int[STEPS];

		private long total;

		// If the count has decreased, it was reset.
		void add(long now, long step) {
			long added = (now >= this.total) ? now - this.total : now;
			int index = (int) (step % STEPS);
			this.ring[index] = (int) Math.min(Integer.MAX_VALUE, this.ring[index] + added);
			this.total = now;
		}

		void clear(long step) {
			this.ring[(int) (step % STEPS)] = 0;
		}

		int[] steps(long current) {
			int[] steps = new int[STEPS - 1];
			int first = steps.length;
			for (int i = steps.length - 1; i >= 0; i--) {
				steps[i] = this.ring[(int) Math.floorMod(current - steps.length + i, (long) STEPS)];
				first = (steps[i] != 0) ? i : first;
			}
			return Arrays.copyOfRange(steps, first, steps.length);
		}

	}

}
