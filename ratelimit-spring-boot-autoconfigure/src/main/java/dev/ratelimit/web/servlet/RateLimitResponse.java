package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.RateLimitFields;
import dev.ratelimit.web.response.ResponseView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A response that tells of quotas. Its fields are there from the start, so that it does
 * not matter when it is committed, and follow what is done to status and fields.
 */
final class RateLimitResponse extends HttpServletResponseWrapper implements ResponseView {

	private final HttpServletRequest request;

	private final HttpServletResponse response;

	private final RateLimitFields quota;

	private int status;

	RateLimitResponse(HeaderVisibility disclosure, HttpServletRequest request, HttpServletResponse response) {
		super(response);
		this.request = request;
		this.response = response;
		this.status = response.getStatus();
		this.quota = new RateLimitFields(disclosure, this);
	}

	/**
	 * Tell something from now on.
	 * @param fields what to tell, empty to leave the response to others
	 */
	void tell(List<HeaderField> fields) {
		this.quota.tell(fields);
		this.quota.write();
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
		this.quota.cleared();
	}

	@Override
	public void setHeader(String name, @Nullable String value) {
		String known = this.quota.known(name);
		if (known != null) {
			this.quota.others(known, value);
			return;
		}
		super.setHeader(name, value);
		changed(name);
	}

	@Override
	public void addHeader(String name, String value) {
		String known = this.quota.known(name);
		if (known != null) {
			String before = this.quota.others(known);
			this.quota.others(known, (before != null) ? before + ", " + value : value);
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
			this.quota.write();
		}
	}

	private void changed(String name) {
		if (this.quota.dependsOn(name)) {
			this.quota.write();
		}
	}

}
