package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.response.EmptySegments;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Internal: rejects changes whose path has an empty segment, after the handler is found.
 * Thread-safe.
 */
public final class EmptySegmentInterceptor implements HandlerInterceptor {

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws IOException {
		if (!EmptySegments.isIn(request.getMethod(), PathContainer.parsePath(request.getRequestURI()))) {
			return true;
		}
		byte[] error = EmptySegments.error();
		response.setStatus(HttpStatus.BAD_REQUEST.value());
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.setContentLength(error.length);
		response.getOutputStream().write(error);
		return false;
	}

}
