package dev.ratelimit.candidate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDiff;

/**
 * A candidate that this instance compares.
 *
 * @param document the candidate
 * @param rules the rules of the candidate, and the active rules
 * @param counts the counts of this instance
 */
record ComparedCandidate(CandidateDocument document, CandidateRules rules, CandidateCounts counts) {

	List<RuleChange> changes() {
		return RuleDiff.between(this.rules.base().rules().written().rules(),
				this.rules.edition().rules().written().rules());
	}

	/**
	 * Return whether the full buckets at the start of the candidate do not affect
	 * decisions.
	 * @param nowMillis the time, in milliseconds since the epoch
	 * @return whether the candidate is older than the longest fill time
	 */
	boolean settled(long nowMillis) {
		return nowMillis - this.document.atMillis() > this.rules.fillMillis();
	}

	/**
	 * Return counts for all changed rules and differences, with zeros for missing counts.
	 * @param counted counts by rule and difference
	 * @return the counts of each changed rule by difference
	 */
	Map<String, Map<String, Long>> complete(Map<String, Map<String, Long>> counted) {
		Map<String, Map<String, Long>> all = new TreeMap<>();
		this.rules.changed().forEach((rule) -> {
			Map<String, Long> counts = new LinkedHashMap<>();
			for (CandidateDifference difference : CandidateDifference.values()) {
				counts.put(difference.field(),
						counted.getOrDefault(rule, Map.of()).getOrDefault(difference.field(), 0L));
			}
			all.put(rule, counts);
		});
		return all;
	}

}
