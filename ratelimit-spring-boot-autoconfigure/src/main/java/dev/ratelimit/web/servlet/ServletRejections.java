package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.rejection.RejectionFactory;
import dev.ratelimit.web.rejection.RejectionResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Internal: writes refusals to servlet responses. Thread-safe.
 */
public final class ServletRejections {

	private final RejectionFactory refusals;

	private final ServletCors cors;

	/**
	 * A writer of refusals.
	 * @param refusals what is written
	 * @param cors who may read it
	 */
	public ServletRejections(RejectionFactory refusals, ServletCors cors) {
		this.refusals = refusals;
		this.cors = cors;
	}

	void refuse(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		write(this.refusals.refused(progress, view, request.getRequestURI()), request, response);
	}

	void overcrowded(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		write(this.refusals.overcrowded(progress, view, request.getRequestURI()), request, response);
	}

	private void write(RejectionResponse refusal, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		response.setStatus(refusal.status());
		RateLimitResponse.tell(List.of(), this.refusals.disclosure(), request, response);
		this.refusals.disclosure().names().forEach((name) -> response.setHeader(name, null));
		refusal.headers().forEach(response::setHeader);
		if (this.cors.apply(request, response)) {
			expose(refusal, response);
		}
		response.setContentLength(refusal.body().length);
		if (!HttpMethod.HEAD.matches(request.getMethod())) {
			response.getOutputStream().write(refusal.body());
		}
		response.flushBuffer();
	}

	private static void expose(RejectionResponse refusal, HttpServletResponse response) {
		String names = refusal.unexposed(response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS));
		if (!names.isEmpty()) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

}
