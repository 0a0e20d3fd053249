package dev.ratelimit.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request with another path, as a filter of the application passes it on.
 */
final class RewrittenRequest extends HttpServletRequestWrapper {

	private final String path;

	private RewrittenRequest(HttpServletRequest request, String path) {
		super(request);
		this.path = path;
	}

	static HttpServletRequest withoutPrefix(HttpServletRequest request, String prefix) {
		String path = request.getRequestURI();
		return (path.startsWith(prefix + "/")) ? new RewrittenRequest(request, path.substring(prefix.length()))
				: request;
	}

	static HttpServletRequest replacing(HttpServletRequest request, String prefix, String replacement) {
		String path = request.getRequestURI();
		return (path.startsWith(prefix)) ? new RewrittenRequest(request, replacement + path.substring(prefix.length()))
				: request;
	}

	@Override
	public String getRequestURI() {
		return this.path;
	}

	@Override
	public String getServletPath() {
		return this.path;
	}

}
