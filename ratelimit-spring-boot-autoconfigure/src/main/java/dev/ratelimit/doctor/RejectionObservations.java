package dev.ratelimit.doctor;

import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.web.GateRequest;

import org.springframework.http.HttpHeaders;

/**
 * Observations of rejections of requests from browsers, and of requests with content.
 * Thread-safe.
 */
final class RejectionObservations {

	private static final String FETCH_SITE = "Sec-Fetch-Site";

	private final LongAdder crossOrigin = new LongAdder();

	private final LongAdder unreadable = new LongAdder();

	private final LongAdder withContent = new LongAdder();

	/**
	 * Return the number of rejected requests that came from pages of other origins.
	 * @return the number
	 */
	long crossOrigin() {
		return this.crossOrigin.sum();
	}

	/**
	 * Return the number of these rejections that no page can read.
	 * @return the number of rejections without CORS headers
	 */
	long unreadable() {
		return this.unreadable.sum();
	}

	/**
	 * Return the number of rejected requests with content.
	 * @return the number
	 */
	long withContent() {
		return this.withContent.sum();
	}

	void saw(GateRequest request, boolean readable) {
		if (hasContent(request)) {
			this.withContent.increment();
		}
		if (isCrossOrigin(request)) {
			this.crossOrigin.increment();
			if (!readable) {
				this.unreadable.increment();
			}
		}
	}

	private static boolean hasContent(GateRequest request) {
		return !request.header(HttpHeaders.CONTENT_LENGTH).orElse("0").equals("0")
				|| request.header(HttpHeaders.TRANSFER_ENCODING).isPresent();
	}

	// A proxy may change the scheme, so only host and port are compared.
	private static boolean isCrossOrigin(GateRequest request) {
		String origin = request.header(HttpHeaders.ORIGIN).orElse("");
		int host = origin.indexOf("://");
		return host >= 0 && !origin.substring(host + 3).equalsIgnoreCase(request.header(HttpHeaders.HOST).orElse(""))
				&& !request.header(FETCH_SITE).orElse("").equals("same-origin");
	}

}
