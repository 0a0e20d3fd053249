package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A request whose handler is looked up.
 *
 * @param method the method
 * @param path the raw path
 * @param query the raw query
 * @param headers the headers
 */
public record HandlerQuestion(String method, String path, String query, Map<String, String> headers) {

	private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE", "BREW");

	private static final List<String> PATHS = List.of("/", "", "/users", "/users/", "/users/me", "/users/7",
			"/users/%6de", "/users/me/", "/users;v=1/me;w=2", "//users/me", "/users/me/x", "/Users/me", "/%75sers/7",
			"/users/a%2Fb", "/files", "/files/", "/files/readme", "/files/a/b/c", "/files/a/raw", "/files/index",
			"/x/index", "/nowhere/at/all", "/split/params", "/split/headers", "/split/media", "/split/x",
			"/split/p%61rams", "/heads/1/anything", "/heads/1/head", "/heads/1/x", "/heads/1", "/heads/1/x/y",
			"/heads/1/any%74hing", "/shapes/one", "/shapes/two", "/shapes/42", "/shapes/caf%C3%A9", "/shapes/options",
			"/%F0%9F%8D%B5/index");

	private static final List<String> QUERIES = List.of("", "v=1", "v=2", "v=1&v=2");

	private static final List<Map<String, String>> HEADERS = List.of(Map.of(), Map.of("X-V", "1"), Map.of("X-V", "2"),
			Map.of("Content-Type", "application/json"), Map.of("Content-Type", "text/plain"),
			Map.of("Content-Type", "no type"), Map.of("Accept", "text/plain"), Map.of("Accept", "application/json"),
			Map.of("Accept", "image/png"));

	/**
	 * Return requests with all methods and paths, and with all queries and headers if
	 * they distinguish handlers.
	 * @return the requests
	 */
	public static List<HandlerQuestion> all() {
		List<HandlerQuestion> all = new ArrayList<>();
		for (String method : METHODS) {
			for (String path : PATHS) {
				all.add(new HandlerQuestion(method, path, "", Map.of()));
				if (path.startsWith("/split")) {
					addConditions(all, method, path);
				}
			}
		}
		return all;
	}

	private static void addConditions(List<HandlerQuestion> all, String method, String path) {
		for (String query : QUERIES) {
			HEADERS.forEach((headers) -> all.add(new HandlerQuestion(method, path, query, headers)));
		}
	}

}
