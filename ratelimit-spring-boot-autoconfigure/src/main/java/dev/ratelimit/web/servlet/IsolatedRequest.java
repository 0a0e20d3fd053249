package dev.ratelimit.web.servlet;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A request whose attributes may be set without a trace on the real one.
 */
final class IsolatedRequest extends HttpServletRequestWrapper {

	private final Map<String, Object> attributes = new HashMap<>();

	IsolatedRequest(HttpServletRequest request) {
		super(request);
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
