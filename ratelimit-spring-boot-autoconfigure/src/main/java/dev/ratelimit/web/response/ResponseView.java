package dev.ratelimit.web.response;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a response before its commit.
 */
public interface ResponseView {

	/**
	 * The status.
	 * @return the HTTP status
	 */
	int status();

	/**
	 * A header field.
	 * @param name the field's name
	 * @return its lines, joined by commas, or {@code null} if there is none
	 */
	@Nullable String header(String name);

	/**
	 * Change a header field.
	 * @param name the field's name
	 * @param value the only line, or {@code null} to remove the field
	 */
	void header(String name, @Nullable String value);

	/**
	 * The method of the request.
	 * @return the method, in upper case
	 */
	String requestMethod();

	/**
	 * Whether the request has credentials in an {@code Authorization} field.
	 * @return whether there is the field
	 */
	boolean authorized();

}
