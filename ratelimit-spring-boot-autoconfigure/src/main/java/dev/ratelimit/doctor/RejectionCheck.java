package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Finds rejections that browsers keep from the pages that asked.
 *
 * @param observations what was seen of requests
 */
record RejectionCheck(RequestObservations observations) implements Check {

	/** So few may be anybody's. */
	private static final long FEW = 10;

	@Override
	public List<Finding> findings() {
		RejectionObservations seen = this.observations.rejections();
		// Where some can be read, CORS is applied, and the others are not allowed to.
		boolean never = seen.unreadable() >= FEW && seen.unreadable() == seen.crossOrigin();
		return (never) ? List.of(Finding.counted(FindingCode.UNREADABLE_REFUSAL, "CORS", "None of " + seen.unreadable()
				+ " rejections of cross-origin requests had Access-Control-Allow-Origin: browsers show a network"
				+ " error instead of the status.", seen.unreadable())) : List.of();
	}

}
