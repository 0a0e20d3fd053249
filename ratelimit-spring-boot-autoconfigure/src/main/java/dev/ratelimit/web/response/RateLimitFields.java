package dev.ratelimit.web.response;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the rate limit fields of one response: the limiter's and those of others. For
 * the threads of one request.
 */
public final class RateLimitFields {

	private final HeaderVisibility visibility;

	private final ResponseView response;

	private List<HeaderField> ours = List.of();

	// Mostly there are none.
	private @Nullable Map<String, String> theirs;

	private boolean written;

	/**
	 * The fields of a response.
	 * @param visibility decides what is disclosed
	 * @param response the response
	 */
	public RateLimitFields(HeaderVisibility visibility, ResponseView response) {
		this.visibility = visibility;
		this.response = response;
	}

	/**
	 * The limiter's fields from now on, if it may write them.
	 * @param fields the fields, empty to leave the response to others
	 */
	public void setFields(List<HeaderField> fields) {
		this.ours = fields;
	}

	/**
	 * A name of the fields.
	 * @param name a name in any case
	 * @return the name as {@link #valueOfOthers} takes it, or {@code null} if this is
	 * none of the fields
	 */
	public @Nullable String find(String name) {
		return this.visibility.find(name);
	}

	/**
	 * Whether the fields depend on a field of the response.
	 * @param name a name in any case
	 * @return whether it does
	 */
	public boolean dependsOn(String name) {
		return this.visibility.dependsOnCaching() && name.equalsIgnoreCase(HeaderVisibility.CACHE_CONTROL);
	}

	/**
	 * The value that others have set a field to.
	 * @param field a name that {@link #find} has returned
	 * @return the value, or {@code null} if they have not set it
	 */
	public @Nullable String valueOfOthers(String field) {
		return read().get(field);
	}

	/**
	 * Others set a field, or remove it.
	 * @param field a name that {@link #find} has returned
	 * @param value the value, or {@code null}
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
	 * The response has lost all its fields.
	 */
	public void cleared() {
		this.theirs = Map.of();
		this.written = false;
		write();
	}

	/**
	 * Write the fields as the response is now.
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

	// What is there before the limiter has written anything is of others.
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
