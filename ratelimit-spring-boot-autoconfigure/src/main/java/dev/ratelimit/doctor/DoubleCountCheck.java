package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.web.RequestObservations;

/**
 * Finds requests that are counted more than once.
 *
 * @param observations what was seen of requests
 */
record DoubleCountCheck(RequestObservations observations) implements Check {

	@Override
	public List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		long twice = this.observations.countedTwice();
		if (twice > 0) {
			findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "filters",
					twice + " times a request came to a rule that had charged it already: a filter of the limiter is"
							+ " registered twice for one phase.",
					twice));
		}
		long foreign = this.observations.foreignHeaders();
		if (foreign > 0) {
			findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "headers",
					foreign + " sampled responses had quota headers that something else had written.", foreign));
		}
		return findings;
	}

}
