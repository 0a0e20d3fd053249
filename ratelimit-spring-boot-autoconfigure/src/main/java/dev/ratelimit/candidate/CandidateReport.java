package dev.ratelimit.candidate;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.live.RuleChange;

/**
 * Internal: the state of a candidate on this instance. Immutable.
 *
 * @param document the candidate
 * @param settled whether the candidate is older than the maximum fill time of its
 * buckets, which began full, so that this start does not affect decisions
 * @param changes the changes of the candidate on this instance; empty if this instance
 * does not compare it
 * @param counts counts by changed rule and difference, of all instances
 * @param rejected the reason for which this instance does not compare it; empty if it
 * does
 */
public record CandidateReport(CandidateDocument document, boolean settled, List<RuleChange> changes,
		Map<String, Map<String, Long>> counts, Optional<String> rejected) {

	public CandidateReport {
		changes = List.copyOf(changes);
	}

}
