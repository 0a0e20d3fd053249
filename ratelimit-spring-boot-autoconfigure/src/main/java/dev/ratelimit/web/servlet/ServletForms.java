package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.web.request.Form;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Reads forms as servlets do, so that filters and handlers behind find the same
 * parameters.
 */
final class ServletForms {

	private ServletForms() {
	}

	static CompletableFuture<Form> read(HttpServletRequest request) {
		if (!Form.isForm(request.getMethod(), request.getContentType())) {
			return Form.NOTHING;
		}
		try {
			// The first question reads the body, and may fail.
			request.getParameterMap();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return CompletableFuture.completedFuture((name) -> values(request, name));
	}

	private static List<String> values(HttpServletRequest request, String name) {
		String[] values = request.getParameterValues(name);
		return (values != null) ? List.of(values) : List.of();
	}

}
