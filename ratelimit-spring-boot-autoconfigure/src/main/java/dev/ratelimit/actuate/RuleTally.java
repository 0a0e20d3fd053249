package dev.ratelimit.actuate;

import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.Outcome;

/**
 * Internal: how many requests had which outcome under a rule. Thread-safe.
 */
public final class RuleTally {

	private static final Outcome[] OUTCOMES = Outcome.values();

	private final String rule;

	private final String algorithm;

	private final LongAdder[] outcomes = new LongAdder[OUTCOMES.length];

	RuleTally(String rule, String algorithm) {
		this.rule = rule;
		this.algorithm = algorithm;
		for (int i = 0; i < this.outcomes.length; i++) {
			this.outcomes[i] = new LongAdder();
		}
	}

	/**
	 * The rule.
	 * @return its id, or {@code *} for rejections that no rule makes
	 */
	public String rule() {
		return this.rule;
	}

	/**
	 * The algorithm of the rule's first limit.
	 * @return its id, or {@code none} without limits
	 */
	public String algorithm() {
		return this.algorithm;
	}

	/**
	 * How many requests had an outcome.
	 * @param outcome the outcome
	 * @return the count since the rule is there
	 */
	public long count(Outcome outcome) {
		return this.outcomes[outcome.ordinal()].sum();
	}

	/**
	 * How many requests the rule allowed.
	 * @return the count since the rule is there
	 */
	public long allowed() {
		return count(true);
	}

	/**
	 * How many requests the rule rejected.
	 * @return the count since the rule is there
	 */
	public long rejected() {
		return count(false);
	}

	private long count(boolean passes) {
		long sum = 0;
		for (Outcome outcome : OUTCOMES) {
			sum += (outcome.passes() == passes) ? count(outcome) : 0;
		}
		return sum;
	}

	void add(Outcome outcome) {
		this.outcomes[outcome.ordinal()].increment();
	}

}
