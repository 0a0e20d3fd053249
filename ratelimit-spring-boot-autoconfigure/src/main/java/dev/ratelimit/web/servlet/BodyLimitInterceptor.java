package dev.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Internal: rejects the same requests as {@link BodyLimitFilter}, after the handler is
 * found and before it reads the body. Thread-safe.
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
		return BodyLimitFilter.permits(request, response, this.maxBytes);
	}

}
