package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.OptionalInt;

import dev.ratelimit.web.Completion;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;

/**
 * Tells of the completion of a request, whether its thread completes it or another one
 * does later.
 */
final class ServletCompletion implements AsyncListener {

	private final Completion completion;

	private final HttpServletResponse response;

	private ServletCompletion(Completion completion, HttpServletResponse response) {
		this.completion = completion;
		this.response = response;
	}

	static void filter(FilterChain chain, HttpServletRequest request, HttpServletResponse response,
			Completion completion) throws IOException, ServletException {
		boolean returned = false;
		try {
			chain.doFilter(request, response);
			returned = true;
		}
		finally {
			new ServletCompletion(completion, response).left(request, returned);
		}
	}

	private void left(HttpServletRequest request, boolean returned) {
		if (!request.isAsyncStarted()) {
			this.completion.complete(
					OptionalInt.of((returned) ? this.response.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR.value()));
			return;
		}
		try {
			request.getAsyncContext().addListener(this);
		}
		catch (IllegalStateException ex) {
			// Completed meanwhile.
			completed();
		}
	}

	private void completed() {
		this.completion.complete(OptionalInt.of(this.response.getStatus()));
	}

	@Override
	public void onComplete(AsyncEvent event) {
		completed();
	}

	// Completion follows, also where the client has gone.
	@Override
	public void onTimeout(AsyncEvent event) {
	}

	@Override
	public void onError(AsyncEvent event) {
	}

	// A new cycle forgets the listeners of the one before.
	@Override
	public void onStartAsync(AsyncEvent event) {
		event.getAsyncContext().addListener(this);
	}

}
