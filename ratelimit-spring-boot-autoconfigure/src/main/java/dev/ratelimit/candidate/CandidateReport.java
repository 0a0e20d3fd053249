package dev.ratelimit.candidate;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.live.RuleChange;

/**
 * Internal: the state of a candidate, as this instance knows it. Immutable.
 *
 * @param document the candidate
 * @param settled whether it is old enough for its buckets, which began full, to be as if
 * they had always been there
 * @param changes what it changes, on this instance; empty if it is not compared here
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
