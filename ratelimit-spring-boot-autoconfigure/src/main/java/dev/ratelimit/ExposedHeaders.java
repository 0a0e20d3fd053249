package dev.ratelimit;

import java.util.List;

/**
 * The headers that scripts of other origins can only read if CORS exposes them.
 *
 * @see <a href=
 * "https://fetch.spec.whatwg.org/#http-access-control-expose-headers">Fetch</a>
 * @since 0.1.0
 */
public final class ExposedHeaders {

	/**
	 * The default names, for {@code CorsConfiguration.setExposedHeaders}. On rejections,
	 * the limiter itself exposes the headers that it sets.
	 */
	public static final List<String> NAMES = List.of("Retry-After", "RateLimit", "RateLimit-Policy",
			"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");

	private ExposedHeaders() {
	}

}
