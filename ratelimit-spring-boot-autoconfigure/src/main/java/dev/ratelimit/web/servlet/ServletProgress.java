package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.RequestProgress;
import jakarta.servlet.ServletRequest;

/**
 * How far a servlet request has come, from one filter to the next.
 */
final class ServletProgress {

	private static final String ATTRIBUTE = ServletProgress.class.getName();

	private ServletProgress() {
	}

	static RequestProgress of(ServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof RequestProgress progress) ? progress : RequestProgress.START;
	}

	static void set(ServletRequest request, RequestProgress progress) {
		request.setAttribute(ATTRIBUTE, progress);
	}

}
