package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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

	private @Nullable ConnectionSlot connection;

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
	 * Tell where a request stands, in place of what was told before.
	 * @param fields what to tell
	 * @param disclosure decides what is told
	 * @param request the request
	 * @param response its response
	 * @return the response to go on with
	 */
	HttpServletResponse tell(List<HeaderField> fields, HeaderVisibility disclosure, HttpServletRequest request,
			HttpServletResponse response) {
		if (this.told != null) {
			this.told.tell(fields);
			return response;
		}
		if (fields.isEmpty()) {
			return response;
		}
		RateLimitResponse watched = watch(disclosure, request, response);
		watched.tell(fields);
		return watched;
	}

	RateLimitResponse watch(HeaderVisibility disclosure, HttpServletRequest request, HttpServletResponse response) {
		RateLimitResponse watched = new RateLimitResponse(disclosure, request, response);
		this.told = watched;
		return watched;
	}

	/**
	 * Take back what the response to a request tells, which is told in another way.
	 * @param request the request
	 */
	static void untell(ServletRequest request) {
		ServletProgress known = find(request);
		if (known != null && known.told != null) {
			known.told.tell(List.of());
		}
	}

	/**
	 * The slots that the connection holds to which the request is upgraded.
	 * @return the slots; null if no connection is to hold any
	 */
	@Nullable ConnectionSlot connection() {
		return this.connection;
	}

	void connect(ConnectionSlot slot) {
		this.connection = slot;
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
