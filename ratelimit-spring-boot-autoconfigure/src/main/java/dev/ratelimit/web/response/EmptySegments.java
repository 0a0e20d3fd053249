package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;

import org.springframework.http.server.PathContainer;

/**
 * Internal: finds empty segments in paths, and creates the responses to such requests.
 * The endpoints of Spring Boot ignore empty segments, so {@code switches/} with an empty
 * variable at its end would be a request for all rules.
 */
public final class EmptySegments {

	private EmptySegments() {
	}

	/**
	 * Whether a request with an empty segment would make a change.
	 * @param method the method
	 * @param path the path
	 * @return whether the method makes a change and the path has an empty segment
	 */
	public static boolean isIn(String method, PathContainer path) {
		if (!method.equals("POST") && !method.equals("DELETE")) {
			return false;
		}
		// WebFlux treats an encoded slash as a slash, and parameters do not belong to a
		// segment.
		StringBuilder decoded = new StringBuilder();
		for (PathContainer.Element element : path.elements()) {
			decoded.append(
					(element instanceof PathContainer.PathSegment segment) ? segment.valueToMatch() : element.value());
		}
		return decoded.indexOf("//") >= 0 || decoded.charAt(decoded.length() - 1) == '/';
	}

	/**
	 * Return the body of the response, which has the status 400.
	 * @return an error as JSON
	 */
	public static byte[] error() {
		return ("{\"error\":\"the path has an empty segment: a variable of the command may be empty;"
				+ " set a subject with '//' in the parameter 'subject'\"}")
			.getBytes(StandardCharsets.UTF_8);
	}

}
