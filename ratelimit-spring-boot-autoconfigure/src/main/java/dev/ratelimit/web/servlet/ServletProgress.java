package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.RateLimitFields;
import dev.ratelimit.web.response.ResponseView;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The progress of a servlet request, which the filters of the limiter share. It is a
 * single attribute, because servers look up each attribute several times, and report each
 * change to listeners.
 */
final class ServletProgress {

	private static final String ATTRIBUTE = ServletProgress.class.getName();

	private RequestProgress current = RequestProgress.START;

	private @Nullable ServletGateRequest seen;

	private @Nullable Phase reached;

	private @Nullable RateLimitResponse limited;

	private @Nullable ServletCompletion completion;

	private @Nullable Entered entered;

	private @Nullable ConnectionSlot connection;

	private ServletProgress() {
	}

	static ServletProgress of(ServletRequest request) {
		ServletProgress progress = find(request);
		if (progress == null) {
			progress = new ServletProgress();
			request.setAttribute(ATTRIBUTE, progress);
		}
		return progress;
	}

	static @Nullable ServletProgress find(ServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof ServletProgress progress) ? progress : null;
	}

	/**
	 * Return the progress of the request.
	 * @return the progress
	 */
	RequestProgress current() {
		return this.current;
	}

	void update(RequestProgress progress) {
		this.current = progress;
	}

	/**
	 * Return the request that the last phase has evaluated.
	 * @return the request; null if no phase has evaluated it
	 */
	@Nullable ServletGateRequest seen() {
		return this.seen;
	}

	void see(ServletGateRequest request) {
		this.seen = request;
	}

	/**
	 * Return whether the request has reached a phase.
	 * @param phase early or late
	 * @return whether that phase or a later one has evaluated it
	 */
	boolean hasReached(Phase phase) {
		return this.reached != null && this.reached.compareTo(phase) >= 0;
	}

	void reach(Phase phase) {
		this.reached = phase;
	}

	/**
	 * Write the rate limit fields. They replace those of an earlier phase.
	 * @param fields the fields
	 * @param visibility determines the disclosed fields
	 * @param request the request
	 * @param response its response
	 * @return the response to continue with
	 */
	HttpServletResponse writeHeaders(List<HeaderField> fields, HeaderVisibility visibility, HttpServletRequest request,
			HttpServletResponse response) {
		if (this.limited != null) {
			this.limited.setFields(fields);
			return response;
		}
		if (fields.isEmpty()) {
			return response;
		}
		RateLimitResponse watched = watch(visibility, request, response);
		watched.setFields(fields);
		return watched;
	}

	RateLimitResponse watch(HeaderVisibility visibility, HttpServletRequest request, HttpServletResponse response) {
		RateLimitResponse watched = new RateLimitResponse(visibility, request, response);
		this.limited = watched;
		return watched;
	}

	/**
	 * Remove the fields from the response to a request, because the rejection writes its
	 * own fields.
	 * @param request the request
	 */
	static void clear(ServletRequest request) {
		ServletProgress progress = find(request);
		if (progress != null && progress.limited != null) {
			progress.limited.setFields(List.of());
		}
	}

	/**
	 * Return the slots that the connection to which the request is upgraded holds.
	 * @return the slots; null if no connection must hold slots
	 */
	@Nullable ConnectionSlot connection() {
		return this.connection;
	}

	void connect(ConnectionSlot slot) {
		this.connection = slot;
	}

	/**
	 * Return the completion of the request, which runs at its end.
	 * @return the completion; null if the end is not expected
	 */
	@Nullable ServletCompletion completion() {
		return this.completion;
	}

	void expect(ServletCompletion end) {
		this.completion = end;
	}

	/**
	 * Enter a filter, unless the request is in it already, such as after a forward.
	 * @param filter the filter
	 * @return whether it was entered, so that it must be left
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
	 * @param before the filter around it; null if there is none
	 */
	private record Entered(Object filter, @Nullable Entered before) {
	}

	/**
	 * A response with rate limit fields. The fields are set from the start, because the
	 * time of the commit is unknown, and are updated when the status or other fields
	 * change.
	 */
	private static final class RateLimitResponse extends HttpServletResponseWrapper implements ResponseView {

		private final HttpServletRequest request;

		private final HttpServletResponse response;

		private final RateLimitFields fields;

		private int status;

		RateLimitResponse(HeaderVisibility visibility, HttpServletRequest request, HttpServletResponse response) {
			super(response);
			this.request = request;
			this.response = response;
			this.status = response.getStatus();
			this.fields = new RateLimitFields(visibility, this);
		}

		/**
		 * Set the fields to write.
		 * @param fields the fields; empty to leave the response unchanged
		 */
		void setFields(List<HeaderField> fields) {
			this.fields.setFields(fields);
			this.fields.write();
		}

		@Override
		public int status() {
			return this.status;
		}

		@Override
		public @Nullable String header(String name) {
			return (this.response.containsHeader(name)) ? String.join(", ", this.response.getHeaders(name)) : null;
		}

		@Override
		public void header(String name, @Nullable String value) {
			this.response.setHeader(name, value);
		}

		@Override
		public String requestMethod() {
			return this.request.getMethod();
		}

		@Override
		public boolean authorized() {
			return this.request.getHeader(HttpHeaders.AUTHORIZATION) != null;
		}

		@Override
		public void setStatus(int status) {
			super.setStatus(status);
			become(status);
		}

		@Override
		public void sendError(int status) throws IOException {
			become(status);
			super.sendError(status);
		}

		@Override
		public void sendError(int status, String message) throws IOException {
			become(status);
			super.sendError(status, message);
		}

		@Override
		public void sendRedirect(String location) throws IOException {
			become(SC_FOUND);
			super.sendRedirect(location);
		}

		@Override
		public void sendRedirect(String location, boolean clearBuffer) throws IOException {
			become(SC_FOUND);
			super.sendRedirect(location, clearBuffer);
		}

		@Override
		public void sendRedirect(String location, int status) throws IOException {
			become(status);
			super.sendRedirect(location, status);
		}

		@Override
		public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
			become(status);
			super.sendRedirect(location, status, clearBuffer);
		}

		@Override
		public void reset() {
			super.reset();
			this.status = SC_OK;
			this.fields.cleared();
		}

		@Override
		public void setHeader(String name, @Nullable String value) {
			String field = this.fields.find(name);
			if (field != null) {
				this.fields.setByOthers(field, value);
				return;
			}
			super.setHeader(name, value);
			changed(name);
		}

		@Override
		public void addHeader(String name, String value) {
			String field = this.fields.find(name);
			if (field != null) {
				String before = this.fields.valueOfOthers(field);
				this.fields.setByOthers(field, (before != null) ? before + ", " + value : value);
				return;
			}
			super.addHeader(name, value);
			changed(name);
		}

		@Override
		public void setIntHeader(String name, int value) {
			setHeader(name, Integer.toString(value));
		}

		@Override
		public void addIntHeader(String name, int value) {
			addHeader(name, Integer.toString(value));
		}

		private void become(int status) {
			boolean changes = HeaderVisibility.isRedirect(this.status) != HeaderVisibility.isRedirect(status);
			this.status = status;
			if (changes) {
				this.fields.write();
			}
		}

		private void changed(String name) {
			if (this.fields.dependsOn(name)) {
				this.fields.write();
			}
		}

	}

}
