package dev.ratelimit.web.servlet;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.web.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A request whose attributes can be changed without changing the original request. It can
 * be restricted to the query, so that a read of parameters does not make the server read
 * the content.
 */
final class IsolatedRequest extends HttpServletRequestWrapper {

	private final Map<String, Object> attributes = new HashMap<>();

	private final boolean withContent;

	private boolean incomplete;

	/** The parameters of the query; null if they were not read yet. */
	private @Nullable Map<String, String[]> ofQuery;

	IsolatedRequest(HttpServletRequest request) {
		this(request, true);
	}

	/**
	 * Isolate a request.
	 * @param request the request
	 * @param withContent whether its parameters include those of the content
	 */
	IsolatedRequest(HttpServletRequest request, boolean withContent) {
		super(request);
		this.withContent = withContent;
	}

	/**
	 * Whether a parameter was read that may be in the content.
	 * @return whether the content may lead to another result
	 */
	boolean isIncomplete() {
		return this.incomplete;
	}

	// Servers put the values of the query before those of the content.
	@Override
	public @Nullable String getParameter(String name) {
		if (this.withContent) {
			return super.getParameter(name);
		}
		String[] values = ofQuery().get(name);
		this.incomplete |= values == null;
		return (values != null) ? values[0] : null;
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		return (this.withContent) ? super.getParameterValues(name) : getParameterMap().get(name);
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return (this.withContent) ? super.getParameterNames() : Collections.enumeration(getParameterMap().keySet());
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		if (this.withContent) {
			return super.getParameterMap();
		}
		this.incomplete = true;
		return ofQuery();
	}

	// Read once, because Spring reads the parameters for each condition of each handler.
	private Map<String, String[]> ofQuery() {
		Map<String, String[]> parameters = this.ofQuery;
		if (parameters == null) {
			String query = getQueryString();
			parameters = QueryParameter.map((query != null) ? query : "");
			this.ofQuery = parameters;
		}
		return parameters;
	}

	@Override
	public @Nullable Object getAttribute(String name) {
		return (this.attributes.containsKey(name)) ? this.attributes.get(name) : super.getAttribute(name);
	}

	@Override
	public Enumeration<String> getAttributeNames() {
		Set<String> names = new LinkedHashSet<>(Collections.list(super.getAttributeNames()));
		names.addAll(this.attributes.keySet());
		names.removeIf((name) -> getAttribute(name) == null);
		return Collections.enumeration(names);
	}

	@Override
	public void setAttribute(String name, @Nullable Object value) {
		this.attributes.put(name, value);
	}

	@Override
	public void removeAttribute(String name) {
		this.attributes.put(name, null);
	}

}
