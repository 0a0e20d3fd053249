package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

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
			findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "filters", "A rule charged a request again " + twice
					+ " times: a rate limit filter is" + " registered twice for the same phase.", twice));
		}
		long foreign = this.observations.foreignHeaders();
		if (foreign > 0) {
			findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "headers",
					foreign + " sampled responses already had rate limit headers from another limiter.", foreign));
		}
		return findings;
	}

}
