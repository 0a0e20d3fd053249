package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Internal: finds rejections whose content the server reads afterwards, on the thread of
 * the request, for as long as the client takes to send it.
 *
 * @param keepsThreads whether the server does that on one of few threads
 * @param observations what was seen of requests
 */
public record SwallowedContentCheck(boolean keepsThreads, RequestObservations observations) implements Check {

	/** Fewer requests keep no server busy. */
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
