package dev.ratelimit.gate;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.rule.Rule;

/**
 * Internal: the observations of one rule since it became active. Thread-safe.
 */
public final class RuleObservations {

	/** Observations without counts, for the calls of a front that is not observed. */
	public static final RuleObservations NONE = new RuleObservations();

	private final Optional<Rule> rule;

	private final Instant since;

	private final boolean counting;

	private final LongAdder evaluations = new LongAdder();

	private final LongAdder lacking = new LongAdder();

	private final LongAdder oversized = new LongAdder();

	private final LongAdder countedTwice = new LongAdder();

	private volatile boolean matched;

	private RuleObservations() {
		this.rule = Optional.empty();
		this.since = Instant.EPOCH;
		this.counting = false;
		this.matched = true;
	}

	/**
	 * Observations of a rule that has not matched a request yet.
	 * @param rule the rule
	 * @param since the time at which the rule became active
	 */
	public RuleObservations(Rule rule, Instant since) {
		this.rule = Optional.of(rule);
		this.since = since;
		this.counting = rule.key().mayBeMissing();
	}

	/**
	 * The rule.
	 * @return the rule
	 */
	public Rule rule() {
		return this.rule.orElseThrow();
	}

	/**
	 * The time at which the rule became active.
	 * @return the time
	 */
	public Instant since() {
		return this.since;
	}

	/**
	 * Whether any request has matched.
	 * @return whether the rule has matched at least one request
	 */
	public boolean matched() {
		return this.matched;
	}

	/**
	 * Return the number of requests that were checked for the rule's key; 0 if the key
	 * cannot be missing.
	 * @return the count
	 */
	public long evaluations() {
		return this.evaluations.sum();
	}

	/**
	 * Return the number of these requests that lacked the key.
	 * @return the count
	 */
	public long lacking() {
		return this.lacking.sum();
	}

	/**
	 * Return the number of requests that were rejected because they cost more than the
	 * capacity of a bucket.
	 * @return the count
	 */
	public long oversized() {
		return this.oversized.sum();
	}

	/**
	 * Return the number of requests that the rule matched again after their decision.
	 * @return the count
	 */
	public long countedTwice() {
		return this.countedTwice.sum();
	}

	// The client is on a list, so the key is not needed. The flag is written only once,
	// because writes for each request would cause contention.
	void sawListedClient() {
		if (!this.matched) {
			this.matched = true;
		}
	}

	public void sawMatch() {
		sawListedClient();
		if (this.counting) {
			this.evaluations.increment();
		}
	}

	public void sawNoKey() {
		if (this.counting) {
			this.lacking.increment();
		}
	}

	public void sawOversized() {
		this.oversized.increment();
	}

	void sawAgain() {
		this.countedTwice.increment();
	}

}
