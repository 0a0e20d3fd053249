package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.rejection.RejectionFactory;
import dev.ratelimit.web.rejection.RejectionResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Internal: writes rejections to servlet responses. Thread-safe.
 */
public final class ServletRejections {

	private final RejectionFactory rejections;

	private final ServletCors cors;

	/**
	 * A writer of rejections.
	 * @param rejections what is written
	 * @param cors who may read it
	 */
	public ServletRejections(RejectionFactory rejections, ServletCors cors) {
		this.rejections = rejections;
		this.cors = cors;
	}

	void reject(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		write(this.rejections.rejected(progress, view, request.getRequestURI()), request, response);
	}

	void overcrowded(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		write(this.rejections.overcrowded(progress, view, request.getRequestURI()), request, response);
	}

	private void write(RejectionResponse rejection, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		response.setStatus(rejection.status());
		ServletProgress.untell(request);
		this.rejections.disclosure().names().forEach((name) -> response.setHeader(name, null));
		rejection.headers().forEach(response::setHeader);
		if (this.cors.apply(request, response)) {
			expose(rejection, response);
		}
		response.setContentLength(rejection.body().length);
		if (!HttpMethod.HEAD.matches(request.getMethod())) {
			response.getOutputStream().write(rejection.body());
		}
		response.flushBuffer();
	}

	private static void expose(RejectionResponse rejection, HttpServletResponse response) {
		String names = rejection.unexposed(response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS));
		if (!names.isEmpty()) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

}
