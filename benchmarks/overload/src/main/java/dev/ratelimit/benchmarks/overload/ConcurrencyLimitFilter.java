package dev.ratelimit.benchmarks.overload;

import java.io.IOException;
import java.util.Optional;

import com.netflix.concurrency.limits.Limiter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Applies one limiter of concurrency-limits to all requests. The filter of
 * concurrency-limits for Jakarta is in an artifact that Maven Central does not have. Like
 * that filter, this one takes a sample of each request that was served. Unlike that
 * filter, it responds with 503 to requests that it rejects.
 */
record ConcurrencyLimitFilter(Limiter<HttpServletRequest> limiter) implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		Optional<Limiter.Listener> listener = this.limiter.acquire((HttpServletRequest) request);
		if (listener.isEmpty()) {
			((HttpServletResponse) response).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
			response.getWriter().print("The limit is reached");
			return;
		}
		boolean served = false;
		try {
			chain.doFilter(request, response);
			served = true;
		}
		finally {
			end(listener.orElseThrow(), served);
		}
	}

	private static void end(Limiter.Listener listener, boolean served) {
		if (served) {
			listener.onSuccess();
		}
		else {
			listener.onIgnore();
		}
	}

}
