package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Finds filters that rewrite paths after rules were matched by them.
 *
 * @param observations what was seen of requests
 */
record RewrittenPathCheck(RequestObservations observations) implements Check {

	@Override
	public List<Finding> findings() {
		long rewritten = this.observations.rewrittenPaths();
		return (rewritten == 0) ? List.of()
				: List.of(Finding.counted(FindingCode.REWRITTEN_PATH, "filters", rewritten
						+ " requests were served by a different path than the one that the rate limit filters saw.",
						rewritten));
	}

}
