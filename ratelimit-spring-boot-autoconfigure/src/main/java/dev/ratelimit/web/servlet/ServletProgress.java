package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.RequestProgress;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the filters of the limiter leave each other on a servlet request, in one
 * attribute: servers look each attribute up several times, and report each change to
 * listeners.
 */
final class ServletProgress {

	private static final String ATTRIBUTE = ServletProgress.class.getName();

	private RequestProgress reached = RequestProgress.START;

	private @Nullable ServletGateRequest seen;

	private @Nullable RateLimitResponse told;

	private @Nullable ServletCompletion completion;

	private @Nullable Entered entered;

	private ServletProgress() {
	}

	static ServletProgress of(ServletRequest request) {
		ServletProgress known = find(request);
		if (known == null) {
			known = new ServletProgress();
			request.setAttribute(ATTRIBUTE, known);
		}
		return known;
	}

	static @Nullable ServletProgress find(ServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof ServletProgress progress) ? progress : null;
	}

	/**
	 * How far the request has come.
	 * @return the progress
	 */
	RequestProgress reached() {
		return this.reached;
	}

	void reach(RequestProgress progress) {
		this.reached = progress;
	}

	/**
	 * The request as a phase has seen it.
	 * @return what was seen last; null if no phase has seen it
	 */
	@Nullable ServletGateRequest seen() {
		return this.seen;
	}

	void see(ServletGateRequest request) {
		this.seen = request;
	}

	/**
	 * The response that tells of limits.
	 * @return the response; null if there is none yet
	 */
	@Nullable RateLimitResponse told() {
		return this.told;
	}

	void tell(RateLimitResponse response) {
		this.told = response;
	}

	/**
	 * What is to be done when the request ends.
	 * @return the completion; null if nobody expects the end
	 */
	@Nullable ServletCompletion completion() {
		return this.completion;
	}

	void expect(ServletCompletion end) {
		this.completion = end;
	}

	/**
	 * Enter a filter, unless the request is in it already, as when it is forwarded.
	 * @param filter the filter
	 * @return whether it was entered, and is to be left
	 */
	boolean enter(Object filter) {
		for (Entered outer = this.entered; outer != null; outer = outer.before()) {
			if (outer.filter() == filter) {
				return false;
			}
		}
		this.entered = new Entered(filter, this.entered);
		return true;
	}

	void leave() {
		Entered left = this.entered;
		this.entered = (left != null) ? left.before() : null;
	}

	/**
	 * A filter that a request is in.
	 *
	 * @param filter the filter
	 * @param before the one around it, if there is one
	 */
	private record Entered(Object filter, @Nullable Entered before) {
	}

}
