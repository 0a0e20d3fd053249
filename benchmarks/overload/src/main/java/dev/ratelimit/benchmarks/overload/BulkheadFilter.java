package dev.ratelimit.benchmarks.overload;

import java.io.IOException;

import io.github.resilience4j.bulkhead.Bulkhead;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Applies one bulkhead to all requests. Requests that the bulkhead rejects receive the
 * status 503.
 */
record BulkheadFilter(Bulkhead bulkhead) implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (!this.bulkhead.tryAcquirePermission()) {
			((HttpServletResponse) response).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
			response.getWriter().print("The bulkhead is full");
			return;
		}
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.bulkhead.onComplete();
		}
	}

}
