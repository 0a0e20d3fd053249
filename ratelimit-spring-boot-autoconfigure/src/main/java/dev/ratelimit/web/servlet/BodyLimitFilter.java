package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.response.BodyLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Internal: rejects requests whose body is too long or has no declared length, before the
 * body is read. Thread-safe.
 */
public final class BodyLimitFilter extends OncePerRequestFilter {

	private final long maxBytes;

	/**
	 * Create a filter.
	 * @param maxBytes the maximum length of a body
	 */
	public BodyLimitFilter(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (permits(request, response, this.maxBytes)) {
			chain.doFilter(request, response);
		}
	}

	/**
	 * Reject a request if its body is too long.
	 * @param request the request
	 * @param response its response; complete if the request is rejected
	 * @param maxBytes the maximum length of a body
	 * @return whether it is not rejected
	 * @throws IOException if the response cannot be written
	 */
	static boolean permits(HttpServletRequest request, HttpServletResponse response, long maxBytes) throws IOException {
		long length = request.getContentLengthLong();
		boolean writes = request.getMethod().equals("POST") || request.getMethod().equals("PUT");
		if (writes && length < 0) {
			reject(response, HttpStatus.LENGTH_REQUIRED, maxBytes);
			return false;
		}
		if (length > maxBytes) {
			reject(response, HttpStatus.CONTENT_TOO_LARGE, maxBytes);
			return false;
		}
		return true;
	}

	private static void reject(HttpServletResponse response, HttpStatus status, long maxBytes) throws IOException {
		byte[] problem = BodyLimit.problem(status, maxBytes);
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setContentLength(problem.length);
		response.getOutputStream().write(problem);
	}

}
