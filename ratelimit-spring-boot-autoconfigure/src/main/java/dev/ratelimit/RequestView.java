package dev.ratelimit;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * The view of a request that rules use, the same with Spring MVC and WebFlux. Treat all
 * values as untrusted input. A view is valid while a resolver is called, on the thread
 * that calls it: do not keep it.
 *
 * @since 0.1.0
 */
public interface RequestView {

	/**
	 * Return the HTTP method.
	 * @return the method as sent, such as {@code GET}
	 */
	String method();

	/**
	 * Return the path after the context path.
	 * @return the raw, still encoded path
	 */
	String path();

	/**
	 * Return the query string.
	 * @return the raw query without its question mark, empty if there is none
	 */
	String query();

	/**
	 * Return the values of one header.
	 * @param name the header's name, in any case
	 * @return its values in order, empty if absent
	 */
	List<String> headers(String name);

	/**
	 * Return the client address: that of the connection or, behind trusted proxies, the
	 * one that they send ({@code ratelimit.client-address}).
	 * @return the full address in its canonical form, empty if unknown
	 */
	String remoteAddress();

	/**
	 * Return the authenticated principal. Empty before authentication, and for anonymous
	 * clients.
	 * @return the principal, if any
	 */
	Optional<Principal> principal();

	/**
	 * Return the first value of one header.
	 * @param name the header's name, in any case
	 * @return its first value, if any
	 */
	default Optional<String> header(String name) {
		List<String> values = headers(name);
		return (values.isEmpty()) ? Optional.empty() : Optional.of(values.get(0));
	}

}
