package dev.ratelimit;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * What a rule may see of a request, alike on servlet and WebFlux. All values come from
 * outside and are to be trusted as such.
 *
 * @since 0.1.0
 */
public interface RequestView {

	/**
	 * The HTTP method.
	 * @return the method as sent, such as {@code GET}
	 */
	String method();

	/**
	 * The path after the context path.
	 * @return the raw, still encoded path
	 */
	String path();

	/**
	 * The query string.
	 * @return the raw query without its question mark, empty if there is none
	 */
	String query();

	/**
	 * The lines of one header.
	 * @param name the header's name, in any case
	 * @return its values in order, empty if absent
	 */
	List<String> headers(String name);

	/**
	 * The client's address: that of the connection or, behind trusted proxies, the one
	 * that they name ({@code ratelimit.client-address}).
	 * @return the whole address in its canonical spelling, empty if unknown
	 */
	String remoteAddress();

	/**
	 * The authenticated caller. Before authentication, and for anonymous callers, there
	 * is none.
	 * @return the principal, if any
	 */
	Optional<Principal> principal();

	/**
	 * The first line of one header.
	 * @param name the header's name, in any case
	 * @return its first value, if any
	 */
	default Optional<String> header(String name) {
		List<String> values = headers(name);
		return (values.isEmpty()) ? Optional.empty() : Optional.of(values.get(0));
	}

}
