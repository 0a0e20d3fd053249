package dev.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Internal: the last filter. If another filter has changed the path of a request or has
 * forwarded it, the rules of the new path are also evaluated. A forward by a handler is
 * not charged again.
 */
final class RewrittenPathFilter implements Filter {

	private final RateLimitFilter gate;

	/**
	 * Create a filter that runs after all others.
	 * @param gate the filter of the late phase
	 */
	RewrittenPathFilter(RateLimitFilter gate) {
		this.gate = gate;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest received = (HttpServletRequest) request;
		if (!RateLimitFilter.isRepeated(request) && isUnseen(received) && this.gate.hasRules()) {
			this.gate.filterRewritten(received, (HttpServletResponse) response, chain);
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private static boolean isUnseen(HttpServletRequest request) {
		ServletProgress progress = ServletProgress.find(request);
		ServletGateRequest seen = (progress != null) ? progress.seen() : null;
		return (seen != null) ? isRewritten(seen, request) : isForwarded(request);
	}

	private static boolean isRewritten(ServletGateRequest seen, HttpServletRequest request) {
		if (seen.isHandedOver() || RateLimitFilter.isErrorPage(request)) {
			return false;
		}
		seen.handOver();
		return !seen.hasPathOf(request);
	}

	// Whether the request was forwarded before the filters of the limiter.
	private static boolean isForwarded(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.FORWARD && !RateLimitFilter.isErrorPage(request);
	}

}
