package dev.ratelimit.web.response;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a response before its commit.
 */
public interface ResponseView {

	/**
	 * Return the status.
	 * @return the HTTP status
	 */
	int status();

	/**
	 * Return a header field.
	 * @param name the field's name
	 * @return its lines, joined by commas; {@code null} if there are none
	 */
	@Nullable String header(String name);

	/**
	 * Change a header field.
	 * @param name the field's name
	 * @param value the only line; {@code null} to remove the field
	 */
	void header(String name, @Nullable String value);

	/**
	 * Return the method of the request.
	 * @return the method, in upper case
	 */
	String requestMethod();

	/**
	 * Whether the request has credentials in an {@code Authorization} field.
	 * @return whether the field exists
	 */
	boolean authorized();

}
