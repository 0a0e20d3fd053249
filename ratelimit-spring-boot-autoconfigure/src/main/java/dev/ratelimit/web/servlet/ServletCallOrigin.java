package dev.ratelimit.web.servlet;

import java.util.Collections;

import dev.ratelimit.gate.CallOrigin;
import dev.ratelimit.web.CrossSite;
import jakarta.servlet.http.HttpServletRequest;
import reactor.util.context.ContextView;

import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Internal: finds the servlet request that the calling thread serves.
 */
final class ServletCallOrigin implements CallOrigin {

	@Override
	public boolean isCrossSite(ContextView subscription) {
		RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
		return !(attributes instanceof ServletRequestAttributes servlet) || isCrossSite(servlet.getRequest());
	}

	// A thread that has inherited the request may run after its end.
	private static boolean isCrossSite(HttpServletRequest request) {
		try {
			return CrossSite.isSentBy((name) -> Collections.list(request.getHeaders(name)));
		}
		catch (IllegalStateException ex) {
			return true;
		}
	}

}
