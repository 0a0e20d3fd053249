package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.response.BodyLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Internal: rejects requests whose body is too long or has no declared length, before
 * their handler reads the body. Thread-safe.
 */
public final class BodyLimitInterceptor implements HandlerInterceptor {

	private final long maxBytes;

	/**
	 * Create an interceptor.
	 * @param maxBytes the maximum length of a body
	 */
	public BodyLimitInterceptor(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws IOException {
		long length = request.getContentLengthLong();
		boolean writes = request.getMethod().equals("POST") || request.getMethod().equals("PUT");
		if (writes && length < 0) {
			reject(response, HttpStatus.LENGTH_REQUIRED);
			return false;
		}
		if (length > this.maxBytes) {
			reject(response, HttpStatus.CONTENT_TOO_LARGE);
			return false;
		}
		return true;
	}

	private void reject(HttpServletResponse response, HttpStatus status) throws IOException {
		byte[] problem = BodyLimit.problem(status, this.maxBytes);
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setContentLength(problem.length);
		response.getOutputStream().write(problem);
	}

}
