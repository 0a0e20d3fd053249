package dev.ratelimit.web.response;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the rate limit fields of one response: those of the limiter and those of
 * others. For the threads of one request.
 */
public final class RateLimitFields {

	private final HeaderVisibility visibility;

	private final ResponseView response;

	private List<HeaderField> ours = List.of();

	// The fields of others, usually empty; null until they are read.
	private @Nullable Map<String, String> theirs;

	private boolean written;

	/**
	 * Create the fields of a response.
	 * @param visibility determines the disclosed fields
	 * @param response the response
	 */
	public RateLimitFields(HeaderVisibility visibility, ResponseView response) {
		this.visibility = visibility;
		this.response = response;
	}

	/**
	 * Set the limiter's fields, which are written if they are visible.
	 * @param fields the fields; empty to keep only those of others
	 */
	public void setFields(List<HeaderField> fields) {
		this.ours = fields;
	}

	/**
	 * Find the name of a field.
	 * @param name a name in any case
	 * @return the name for {@link #valueOfOthers}; {@code null} if it is not the name of
	 * such a field
	 */
	public @Nullable String find(String name) {
		return this.visibility.find(name);
	}

	/**
	 * Whether the fields depend on a field of the response.
	 * @param name a name in any case
	 * @return whether they depend on it
	 */
	public boolean dependsOn(String name) {
		return this.visibility.dependsOnCaching() && name.equalsIgnoreCase(HeaderVisibility.CACHE_CONTROL);
	}

	/**
	 * Return the value of a field that others have set.
	 * @param field a name that {@link #find} has returned
	 * @return the value; {@code null} if they have not set it
	 */
	public @Nullable String valueOfOthers(String field) {
		return read().get(field);
	}

	/**
	 * Set or remove a field of others.
	 * @param field a name that {@link #find} has returned
	 * @param value the value; {@code null} to remove the field
	 */
	public void setByOthers(String field, @Nullable String value) {
		Map<String, String> fields = new HashMap<>(read());
		if (value != null) {
			fields.put(field, value);
		}
		else {
			fields.remove(field);
		}
		this.theirs = fields;
		this.response.header(field, value);
		write();
	}

	/**
	 * Write the fields again after the response was reset.
	 */
	public void cleared() {
		this.theirs = Map.of();
		this.written = false;
		write();
	}

	/**
	 * Write the fields by the current state of the response.
	 */
	public void write() {
		Map<String, String> others = read();
		boolean visible = !this.ours.isEmpty() && this.visibility.isVisible(this.response);
		if (visible && others.isEmpty()) {
			writeAlone();
		}
		else if (visible || this.written) {
			replace((visible) ? this.visibility.merge(this.ours, others) : others);
		}
		this.written = visible;
	}

	private void writeAlone() {
		if (this.written && this.ours.size() < this.visibility.names().size()) {
			replace(Map.of());
		}
		for (HeaderField field : this.ours) {
			this.response.header(field.name(), field.value());
		}
	}

	private void replace(Map<String, String> fields) {
		this.visibility.names().forEach((name) -> this.response.header(name, fields.get(name)));
	}

	// Fields that exist before the first write of the limiter belong to others.
	private Map<String, String> read() {
		Map<String, String> cached = this.theirs;
		if (cached == null) {
			cached = found();
			this.theirs = cached;
		}
		return cached;
	}

	private Map<String, String> found() {
		Map<String, String> found = Map.of();
		for (String name : this.visibility.names()) {
			String value = this.response.header(name);
			if (value != null) {
				found = (found.isEmpty()) ? new HashMap<>() : found;
				found.put(name, value);
			}
		}
		return found;
	}

}
