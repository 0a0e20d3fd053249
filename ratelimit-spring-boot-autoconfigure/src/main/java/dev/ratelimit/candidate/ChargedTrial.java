package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Charges;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.StaticVerdicts;
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
public final class ChargedTrial implements CandidateTrial {

	private static final Log logger = LogFactory.getLog(ChargedTrial.class);

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
	public ChargedTrial(CandidateRules rules, CandidateCounts counts, LimitStore store, Duration deadline, Time time) {
		this.rules = rules;
		this.counts = counts;
		this.store = store;
		this.deadlineNanos = deadline.toNanos();
		this.time = time;
	}

	@Override
	public Edition base() {
		return this.rules.base();
	}

	@Override
	public Edition edition() {
		return this.rules.edition();
	}

	@Override
	public boolean changes(String ruleId) {
		return this.rules.changed().contains(ruleId);
	}

	@Override
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

	@Override
	public void failed(RuntimeException failure) {
		logger.debug("Failed to compare a request with the candidate", failure);
	}

}
