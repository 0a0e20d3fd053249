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
 * @param rules its rules beside the active ones
 * @param counts what this instance has counted
 */
record ComparedCandidate(CandidateDocument document, CandidateRules rules, CandidateCounts counts) {

	List<RuleChange> changes() {
		return RuleDiff.between(this.rules.base().rules().written().rules(),
				this.rules.edition().rules().written().rules());
	}

	/**
	 * Whether the buckets, which began full, are as if they had always been there.
	 * @param nowMillis the time, in milliseconds since the epoch
	 * @return whether the candidate is older than the longest fill time
	 */
	boolean settled(long nowMillis) {
		return nowMillis - this.document.atMillis() > this.rules.fillMillis();
	}

	/**
	 * All counts that there are, and zeros.
	 * @param counted counts by rule and difference
	 * @return the same for each changed rule
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
