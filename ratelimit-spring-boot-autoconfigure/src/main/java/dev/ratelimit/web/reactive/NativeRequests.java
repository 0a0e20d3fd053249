package dev.ratelimit.web.reactive;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/**
 * Finds the native request of the server below all decorators.
 */
final class NativeRequests {

	private NativeRequests() {
	}

	static Object of(ServerHttpRequest request) {
		try {
			return ServerHttpRequestDecorator.getNativeRequest(request);
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			// Thrown for requests without a native request, such as those of tests.
			return request;
		}
	}

}
