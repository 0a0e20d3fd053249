package dev.ratelimit.web;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;

/**
 * Internal: parses paths of requests.
 */
public final class RequestPaths {

	private RequestPaths() {
	}

	/**
	 * Parse the path after the context path. A path with malformed encoding is used
	 * literally, so that it neither causes an error nor bypasses the rules.
	 * @param path the raw path of the request
	 * @param contextPath the raw context path; empty if there is none
	 * @return the parsed path
	 */
	public static PathContainer withinApplication(String path, String contextPath) {
		try {
			return RequestPath.parse(path, contextPath).pathWithinApplication();
		}
		catch (IllegalArgumentException ex) {
			String rest = path.startsWith(contextPath) ? path.substring(contextPath.length()) : path;
			return PathContainer.parsePath(rest.replace("%", "%25"));
		}
	}

}
