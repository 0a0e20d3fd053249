package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Finds credentials in requests that no rule counts, and in those of probes.
 *
 * @param observations what was seen of requests
 */
record ExemptRequestCheck(RequestObservations observations) implements Check {

	/** So few may be those of an operator. */
	private static final long FEW = 10;

	@Override
	public List<Finding> findings() {
		ExemptObservations seen = this.observations.exempt();
		List<Finding> findings = new ArrayList<>(2);
		long authenticated = seen.principals() + seen.unauthorized();
		if (authenticated > 0) {
			findings.add(Finding.counted(FindingCode.AUTHENTICATED_EXEMPT, "exempt requests",
					"Of the requests that no rule counts, " + seen.principals() + " had a principal, and "
							+ seen.unauthorized() + " preflights were answered with 401.",
					authenticated));
		}
		if (seen.probes() >= FEW) {
			findings.add(Finding.counted(FindingCode.PROBE_CREDENTIALS, "health",
					seen.probes() + " requests for health had an Authorization header: rules count them,"
							+ " so that a probe may be rejected.",
					seen.probes()));
		}
		return findings;
	}

}
