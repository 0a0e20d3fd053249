package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.PathContainer.Separator;
import org.springframework.http.server.RequestPath;

/**
 * Internal: parses and normalizes paths of requests.
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

	/**
	 * Normalize a path. Servlet containers, handlers of static resources, and filters
	 * that trim slashes use the normalized path instead of the original segments. Empty
	 * segments, dot segments, parameters, and a trailing slash are removed, and encoded
	 * slashes separate segments.
	 * @param path the original path
	 * @return the normalized path; null if it has the same segments
	 */
	public static @Nullable PathContainer normalized(PathContainer path) {
		return (isPlain(path.value())) ? null : unlessSame(path, segments(decoded(path)));
	}

	/**
	 * Normalize a path that a servlet container has mapped to a servlet.
	 * @param path the original path
	 * @param mapped the decoded path by which the container found the servlet
	 * @return the normalized path; null if it has the same segments
	 */
	public static @Nullable PathContainer normalized(PathContainer path, String mapped) {
		return (mapped.equals(path.value()) && isPlain(mapped)) ? null : unlessSame(path, segments(mapped));
	}

	// Fast path for nearly all paths.
	private static boolean isPlain(String path) {
		char before = 0;
		for (int i = 0; i < path.length(); i++) {
			char character = path.charAt(i);
			if (character == '%' || character == ';' || character == '\\'
					|| (before == '/' && (character == '/' || character == '.'))) {
				return false;
			}
			before = character;
		}
		return before != '/' || path.length() == 1;
	}

	private static String decoded(PathContainer path) {
		StringBuilder decoded = new StringBuilder(path.value().length());
		for (Element element : path.elements()) {
			decoded.append((element instanceof PathSegment segment) ? segment.valueToMatch() : element.value());
		}
		return decoded.toString();
	}

	private static List<String> segments(String decoded) {
		List<String> segments = new ArrayList<>();
		for (String segment : decoded.split("[/\\\\]|%2[fF]|%5[cC]")) {
			if (segment.equals("..")) {
				if (!segments.isEmpty()) {
					segments.remove(segments.size() - 1);
				}
			}
			else if (!segment.isEmpty() && !segment.equals(".")) {
				segments.add(segment);
			}
		}
		return segments;
	}

	private static @Nullable PathContainer unlessSame(PathContainer path, List<String> segments) {
		return (isSame(path.elements(), segments)) ? null
				: PathContainer.parsePath("/" + String.join("/", segments).replace("%", "%25").replace(";", "%3B"));
	}

	private static boolean isSame(List<Element> elements, List<String> segments) {
		if (elements.size() != 2 * segments.size()) {
			return false;
		}
		for (int i = 0; i < segments.size(); i++) {
			if (!(elements.get(2 * i) instanceof Separator && elements.get(2 * i + 1) instanceof PathSegment segment
					&& segment.valueToMatch().equals(segments.get(i)))) {
				return false;
			}
		}
		return true;
	}

}
