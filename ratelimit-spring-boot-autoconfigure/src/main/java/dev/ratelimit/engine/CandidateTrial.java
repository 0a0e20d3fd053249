package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: compares decisions of the active rules with those that a candidate would
 * make. What the candidate's rules charge is charged after the active decision, and
 * nobody waits for it. Whatever fails here is counted as skipped. Thread-safe.
 */
public final class CandidateTrial {

	private static final Log logger = LogFactory.getLog(CandidateTrial.class);

	private final CandidateRules rules;

	private final CandidateCounts counts;

	private final LimitStore store;

	private final long deadlineNanos;

	private final Time time;

	/**
	 * A trial.
	 * @param rules the candidate's rules beside the active ones
	 * @param counts where differences are counted
	 * @param store charges the candidate's buckets; may fail at any time
	 * @param deadline after which a charge is of no use
	 * @param time the clock that the store reads, too
	 */
	public CandidateTrial(CandidateRules rules, CandidateCounts counts, LimitStore store, Duration deadline,
			Time time) {
		this.rules = rules;
		this.counts = counts;
		this.store = store;
		this.deadlineNanos = deadline.toNanos();
		this.time = time;
	}

	/**
	 * The edition that the candidate's rules are compared with.
	 * @return the edition
	 */
	public Edition base() {
		return this.rules.base();
	}

	/**
	 * The candidate's rules.
	 * @return the edition, which is never active
	 */
	public Edition edition() {
		return this.rules.edition();
	}

	/**
	 * Whether the candidate changes a rule.
	 * @param ruleId the rule
	 * @return whether it is compared
	 */
	public boolean changes(String ruleId) {
		return this.rules.changed().contains(ruleId);
	}

	// Most requests are of none, and cost no more than this.
	boolean changesAny(Collection<RuleCharge> charges) {
		for (RuleCharge charge : charges) {
			if (changes(charge.ruleId())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Compare decisions on a request. Returns at once.
	 * @param expected the changed rules that the candidate applies to the request
	 * @param active the decision of the active rules
	 * @param from how many of its verdicts are of phases before
	 * @param comparable which rules can be compared
	 */
	public void compare(List<AppliedRule> expected, Decision active, int from, Predicate<String> comparable) {
		CandidateComparison comparison = new CandidateComparison(this.rules, expected, active, from, comparable);
		if (comparison.concernsNothing()) {
			return;
		}
		if (!comparison.isComparable()) {
			comparison.skip(this.counts);
			return;
		}
		try {
			decide(comparison);
		}
		catch (RuntimeException ex) {
			failed(ex);
			comparison.skip(this.counts);
		}
	}

	private void decide(CandidateComparison comparison) {
		List<AppliedRule> applied = comparison.charged();
		List<Charge> charges = Charges.of(applied);
		List<Verdict> unasked = StaticVerdicts.verdicts(applied);
		if (charges.isEmpty() || StaticVerdicts.reject(unasked)) {
			comparison.count(unasked, this.counts);
			return;
		}
		this.store.acquire(new AcquireRequest(charges, Optional.empty(), this.time.nanos() + this.deadlineNanos))
			.whenComplete((result, failure) -> {
				if (failure != null) {
					comparison.skip(this.counts);
				}
				else {
					comparison.count(StaticVerdicts.join(result.verdicts(), unasked), this.counts);
				}
			});
	}

	/**
	 * A request cannot be compared.
	 * @param failure why
	 */
	public void failed(RuntimeException failure) {
		logger.debug("Failed to compare a request with the candidate", failure);
	}

}
