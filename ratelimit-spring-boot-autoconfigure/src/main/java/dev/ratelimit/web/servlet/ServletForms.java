package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.web.request.Form;
import dev.ratelimit.web.request.ParameterName;
import dev.ratelimit.web.request.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Reads forms as servlets do, so that filters and handlers behind find the same
 * parameters.
 */
final class ServletForms {

	private static final String MULTIPART = "multipart/";

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

	/**
	 * The values of a parameter of the query or of a form.
	 * @param request the request, whose form was read
	 * @param query its query string
	 * @param name the parameter's name
	 * @return all its values; empty if they are in parts that were not read
	 */
	static Optional<List<String>> parameters(HttpServletRequest request, String query, String name) {
		String type = request.getContentType();
		if (type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(MULTIPART)) {
			return Optional.of(QueryParameter.all(query, name)).filter((values) -> !values.isEmpty());
		}
		try {
			return Optional.of(values(request, name));
		}
		catch (RuntimeException ex) {
			// The content is no form that the server can read.
			return Optional.empty();
		}
	}

	private static List<String> values(HttpServletRequest request, String name) {
		return new ParameterName(name).of(request.getParameterMap(), List::of);
	}

}
