package dev.ratelimit.web.reactive;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/**
 * Finds the server's own request beneath what wraps it.
 */
final class NativeRequests {

	private NativeRequests() {
	}

	static Object of(ServerHttpRequest request) {
		try {
			return ServerHttpRequestDecorator.getNativeRequest(request);
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			// So say requests that no server has read: those of tests, or of unknown
			// make.
			return request;
		}
	}

}
