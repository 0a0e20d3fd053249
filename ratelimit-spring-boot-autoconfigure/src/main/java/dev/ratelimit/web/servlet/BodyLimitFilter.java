package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.rejection.BodyLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Internal: rejects requests whose body is too long, or of a length that the request does
 * not state, before anything reads it. Thread-safe.
 */
public final class BodyLimitFilter extends OncePerRequestFilter {

	private final long maxBytes;

	/**
	 * A filter.
	 * @param maxBytes the greatest length of a body
	 */
	public BodyLimitFilter(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		long length = request.getContentLengthLong();
		boolean writes = request.getMethod().equals("POST") || request.getMethod().equals("PUT");
		if (writes && length < 0) {
			reject(response, HttpStatus.LENGTH_REQUIRED);
		}
		else if (length > this.maxBytes) {
			reject(response, HttpStatus.CONTENT_TOO_LARGE);
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private void reject(HttpServletResponse response, HttpStatus status) throws IOException {
		byte[] problem = BodyLimit.problem(status, this.maxBytes);
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setContentLength(problem.length);
		response.getOutputStream().write(problem);
	}

}
