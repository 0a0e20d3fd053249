package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Internal: finds rejections after which the server reads the content of the request on
 * its thread, for as long as the client sends it.
 *
 * @param keepsThreads whether the server reads the content on a platform thread
 * @param observations the observations of requests
 */
public record SwallowedContentCheck(boolean keepsThreads, RequestObservations observations) implements Check {

	/**
	 * The minimum number of requests for a finding; fewer do not occupy the threads of a
	 * server.
	 */
	private static final long MIN_REQUESTS = 100;

	@Override
	public List<Finding> findings() {
		long seen = this.observations.rejections().withContent();
		return (!this.keepsThreads || seen < MIN_REQUESTS) ? List.of()
				: List.of(Finding.counted(FindingCode.SWALLOWED_CONTENT, "server.tomcat.max-swallow-size",
						seen + " rejected requests had content, which Tomcat reads after the rejection: clients that"
								+ " send it slowly keep all threads busy, even if they are banned.",
						seen));
	}

}
