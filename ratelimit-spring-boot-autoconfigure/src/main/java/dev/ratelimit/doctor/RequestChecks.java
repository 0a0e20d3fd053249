package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;

/**
 * Internal: all that can be told of the requests that have come.
 */
public final class RequestChecks implements Check {

	private final List<Check> checks;

	/**
	 * Checks of requests.
	 * @param observations what was seen of them
	 */
	public RequestChecks(RequestObservations observations) {
		this.checks = List.of(new PeerCheck(observations), new RejectionCheck(observations),
				new DoubleCountCheck(observations), new KeyAndCostCheck(observations),
				new RewrittenPathCheck(observations), new ExemptRequestCheck(observations));
	}

	@Override
	public List<Finding> findings() {
		return this.checks.stream().flatMap((check) -> check.findings().stream()).toList();
	}

}
