package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionResponse;
import dev.ratelimit.web.response.Tarpits;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Internal: writes rejections to servlet responses. Thread-safe.
 */
final class ServletRejections {

	private final RejectionFactory rejections;

	private final ServletCors cors;

	private final Tarpits tarpits;

	private final DelayedEnd end = new DelayedEnd();

	/**
	 * Create a writer of rejections.
	 * @param rejections creates the responses
	 * @param cors adds CORS fields
	 * @param tarpits delays some rejections
	 */
	ServletRejections(RejectionFactory rejections, ServletCors cors, Tarpits tarpits) {
		this.rejections = rejections;
		this.cors = cors;
		this.tarpits = tarpits;
	}

	void reject(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		RejectionResponse rejection = this.rejections.rejected(progress, view, request.getRequestURI());
		Optional<CompletableFuture<Void>> delay = Tarpits.of(progress)
			.filter((tarpit) -> this.end.isPossible(request))
			.flatMap(this.tarpits::enter);
		write(rejection, request, response, delay.isPresent());
		delay.ifPresent((over) -> {
			// The delayed request holds no seat or slot.
			progress.free(rejection.status());
			this.end.await(request, over);
		});
	}

	void overcrowded(RequestProgress progress, HttpServletRequest request, ServletGateRequest view,
			HttpServletResponse response) throws IOException {
		write(this.rejections.overcrowded(progress, view, request.getRequestURI()), request, response, false);
	}

	private void write(RejectionResponse rejection, HttpServletRequest request, HttpServletResponse response,
			boolean later) throws IOException {
		this.rejections.count(!ServletProgress.of(request).current().untouched(), rejection);
		response.setStatus(rejection.status());
		ServletProgress.clear(request);
		this.rejections.visibility().names().forEach((name) -> response.setHeader(name, null));
		rejection.headers().forEach(response::setHeader);
		if (this.cors.apply(request, response)) {
			expose(rejection, response);
		}
		boolean head = HttpMethod.HEAD.matches(request.getMethod());
		if (!later || head) {
			// Not set for delayed responses, because a container may send a response when
			// its whole length is written.
			response.setContentLength(rejection.body().length);
		}
		if (!head) {
			output(response).write(rejection.body());
		}
		if (!later) {
			response.flushBuffer();
		}
	}

	private static OutputStream output(HttpServletResponse response) throws IOException {
		try {
			return response.getOutputStream();
		}
		catch (IllegalStateException ex) {
			// The handler has used the writer, and only a reset permits bytes.
			int status = response.getStatus();
			Map<String, List<String>> headers = new LinkedHashMap<>();
			response.getHeaderNames().forEach((name) -> headers.put(name, List.copyOf(response.getHeaders(name))));
			response.reset();
			response.setStatus(status);
			headers.forEach((name, values) -> values.forEach((value) -> response.addHeader(name, value)));
			return response.getOutputStream();
		}
	}

	private static void expose(RejectionResponse rejection, HttpServletResponse response) {
		String names = rejection.unexposed(response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS));
		if (!names.isEmpty()) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

	/**
	 * Delays a response that is written but not flushed, without a thread. The request is
	 * completed and not dispatched again, so the rest of the chain does not run.
	 * Thread-safe.
	 */
	private static final class DelayedEnd {

		private static final Log logger = LogFactory.getLog(DelayedEnd.class);

		/**
		 * Longer than any delay, so that the container ends requests that were not
		 * completed.
		 */
		private static final long TIMEOUT_MILLIS = 60_000;

		private final AtomicBoolean warned = new AtomicBoolean();

		/**
		 * Whether the response to a request can be sent later.
		 * @param request the request
		 * @return false if a filter or servlet is not declared asynchronous
		 */
		boolean isPossible(HttpServletRequest request) {
			boolean possible = request.isAsyncSupported();
			if (!possible && this.warned.compareAndSet(false, true)) {
				logger.warn("Rejections are not delayed (on-excess: tarpit), because a filter or servlet of the request"
						+ " does not support asynchronous processing. Register it with asyncSupported = true.");
			}
			return possible;
		}

		void await(HttpServletRequest request, CompletableFuture<Void> over) {
			AsyncContext async = request.startAsync();
			async.setTimeout(TIMEOUT_MILLIS);
			over.thenRun(() -> complete(async));
		}

		private static void complete(AsyncContext async) {
			try {
				async.complete();
			}
			catch (IllegalStateException ex) {
				logger.debug("The client has gone away", ex);
			}
		}

	}

}
