package dev.ratelimit.web;

import java.util.List;
import java.util.function.Function;

/**
 * Internal: pages of other sites, which make browsers send requests.
 */
public final class CrossSite {

	private CrossSite() {
	}

	/**
	 * Whether a page of another site may make a client send a request.
	 * @param headers the values of a header field of the request
	 * @return whether the client may send the request without its user's knowledge
	 */
	public static boolean isSentBy(Function<String, List<String>> headers) {
		return headers.apply("Sec-Fetch-Site").contains("cross-site") && !headers.apply("Cookie").isEmpty()
				&& headers.apply("Authorization").isEmpty();
	}

}
