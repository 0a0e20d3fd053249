package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.Endings;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.EventStreams;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Ends a request for all phases, in the outermost filter of the limiter: frees its slots
 * after the processing, and corrects charges when the final status is known. An
 * asynchronous request ends on another thread. The status of an error is known only after
 * its error page, which a listener reports.
 */
final class ServletCompletion implements AsyncListener {

	private static final String LISTENING = ServletCompletion.class.getName() + ".LISTENING";

	/** Attribute that Jetty sets if an error page follows. */
	private static final String JETTY_ERROR = "org.eclipse.jetty.server.error_status";

	private static final String CONNECT = "CONNECT";

	private final boolean connects;

	private final HttpServletResponse response;

	/** The slots for the connection after an upgrade of the request. */
	private final Supplier<@Nullable ConnectionSlot> connection;

	private volatile RequestProgress progress = RequestProgress.START;

	private volatile boolean clientGone;

	private volatile boolean asynchronous;

	/** Whether the end of an asynchronous request was reported. */
	private boolean ended;

	private boolean awaitingErrorPage;

	private boolean failed;

	/** Whether the container reports the end again after the error page. */
	private boolean reportedAgain;

	ServletCompletion(HttpServletRequest request, HttpServletResponse response,
			Supplier<@Nullable ConnectionSlot> connection) {
		this.connects = request.getMethod().equals(CONNECT);
		this.response = unwrapped(response);
		this.connection = connection;
	}

	/**
	 * Filter a request, and end it.
	 * @param chain the filters and the handler after this one
	 * @param progress finds the progress of the request
	 * @param request the request
	 * @param response its response
	 * @throws IOException if they fail
	 * @throws ServletException if they fail
	 */
	void filter(FilterChain chain, Supplier<RequestProgress> progress, HttpServletRequest request,
			HttpServletResponse response) throws IOException, ServletException {
		boolean returned = false;
		try {
			chain.doFilter(request, response);
			returned = true;
		}
		finally {
			left(progress.get(), request, response.getStatus(), returned);
		}
	}

	void destroyed(ServletRequest request) {
		if (this.awaitingErrorPage) {
			reported(request);
		}
		// Jetty does not report the end of an asynchronous request that fails after the
		// commit of its response.
		else if (this.asynchronous && !request.isAsyncStarted() && this.response.isCommitted()) {
			completed();
		}
	}

	/**
	 * Expect a report of the end of each request after its error page.
	 * @param context the application, which has the listener
	 */
	static void listen(ServletContext context) {
		context.setAttribute(LISTENING, true);
	}

	private static boolean isListening(ServletRequest request) {
		return request.getServletContext().getAttribute(LISTENING) != null;
	}

	// Wrappers of the response may be reused or out of date at the end of the request.
	private static HttpServletResponse unwrapped(HttpServletResponse response) {
		ServletResponse bare = response;
		while (bare instanceof ServletResponseWrapper wrapper) {
			bare = wrapper.getResponse();
		}
		return (HttpServletResponse) bare;
	}

	private void left(RequestProgress progress, HttpServletRequest request, int status, boolean returned) {
		this.progress = progress;
		if (!this.progress.pending()) {
			return;
		}
		if (request.isAsyncStarted()) {
			this.asynchronous = true;
			streams(request);
			await(request);
			return;
		}
		free((returned) ? status : HttpStatus.INTERNAL_SERVER_ERROR.value());
		// For an error that is not sent yet, containers also report the response as
		// committed.
		boolean sent = (returned) ? !isError(status) : this.response.isCommitted() && !isError(status);
		if (sent || !isListening(request)) {
			this.progress.settle((sent || returned) ? status : HttpStatus.INTERNAL_SERVER_ERROR.value());
			return;
		}
		this.awaitingErrorPage = true;
		this.failed = !returned;
		this.reportedAgain = request.getAttribute(JETTY_ERROR) != null;
	}

	// After an upgrade, the connection keeps its slots.
	private void free(int status) {
		ConnectionSlot slot = this.connection.get();
		if (slot == null) {
			this.progress.free(status);
			return;
		}
		this.progress.endings().freeRequest(status);
		if (!isUpgraded()) {
			slot.free();
		}
	}

	// Over HTTP/2, a connection begins with a successful CONNECT (RFC 8441).
	private boolean isUpgraded() {
		int status = this.response.getStatus();
		return status == HttpStatus.SWITCHING_PROTOCOLS.value()
				|| (this.connects && HttpStatusCode.valueOf(status).is2xxSuccessful());
	}

	private void await(HttpServletRequest request) {
		try {
			limit(request.getAsyncContext());
			request.getAsyncContext().addListener(this);
		}
		catch (IllegalStateException ex) {
			// The request was completed meanwhile.
			completed();
		}
	}

	// Sets the timeout of the server, so that the request ends after the maximum time
	// that it may hold its slots.
	private void limit(AsyncContext context) {
		Duration maxHold = this.progress.endings().maxRequestHold();
		boolean shorter = context.getTimeout() <= 0 || maxHold.toMillis() < context.getTimeout();
		if (!maxHold.equals(Endings.UNLIMITED) && shorter) {
			context.setTimeout(maxHold.toMillis());
		}
	}

	// An emitter sets the content type with its first event, which may be sent at any
	// later time.
	private void streams(HttpServletRequest request) {
		String contentType = this.response.getContentType();
		Object handler = request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
		Object producible = request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
		if ((contentType != null) ? EventStreams.isDeclared(contentType, handler, producible, ResponseBodyEmitter.class)
				: EventStreams.isExpected(handler, producible, SseEmitter.class)) {
			this.progress.endings().startStreaming();
		}
	}

	private void completed() {
		synchronized (this) {
			if (this.ended) {
				return;
			}
			this.ended = true;
		}
		this.progress.free((this.clientGone) ? Ending.NO_STATUS : this.response.getStatus());
		if (!this.clientGone) {
			this.progress.settle(this.response.getStatus());
		}
	}

	// Tomcat reports the end once, after the error page. Jetty first reports the end of
	// the request, and then that of the error page. This applies to errors that are
	// already known, and to exceptions that have not reached Jetty yet.
	private void reported(ServletRequest request) {
		boolean unseen = this.failed && !this.response.isCommitted()
				&& request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) == null;
		if (this.reportedAgain || unseen) {
			this.reportedAgain = false;
			this.failed = false;
			return;
		}
		this.awaitingErrorPage = false;
		this.progress.settle(this.response.getStatus());
	}

	private static boolean isError(int status) {
		return status >= HttpStatus.BAD_REQUEST.value();
	}

	@Override
	public void onComplete(AsyncEvent event) {
		completed();
	}

	// The completion is reported afterwards.
	@Override
	public void onTimeout(AsyncEvent event) {
	}

	// The completion is reported afterwards. If the client has disconnected, no status is
	// sent.
	@Override
	public void onError(AsyncEvent event) {
		this.clientGone = event.getThrowable() instanceof IOException && !this.response.isCommitted();
	}

	// A new asynchronous cycle has no listeners of the previous one.
	@Override
	public void onStartAsync(AsyncEvent event) {
		event.getAsyncContext().addListener(this);
	}

}
