package dev.ratelimit.actuate;

import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.Outcome;

/**
 * Internal: counts of the requests of a rule by outcome. Thread-safe.
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
	 * Return the id of the rule.
	 * @return the id, or {@code *} for rejections that belong to no rule
	 */
	public String rule() {
		return this.rule;
	}

	/**
	 * Return the algorithm of the rule's first limit.
	 * @return the algorithm's id, or {@code none} without limits
	 */
	String algorithm() {
		return this.algorithm;
	}

	/**
	 * Return the number of requests with an outcome.
	 * @param outcome the outcome
	 * @return the number since the rule was added
	 */
	long count(Outcome outcome) {
		return this.outcomes[outcome.ordinal()].sum();
	}

	/**
	 * Return the number of requests that the rule allowed.
	 * @return the number since the rule was added
	 */
	public long allowed() {
		return count(true);
	}

	/**
	 * Return the number of requests that the rule rejected.
	 * @return the number since the rule was added
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
