package dev.ratelimit.web.reactive;

import java.time.Duration;

import dev.ratelimit.web.response.BodyLimit;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: rejects requests below a path whose body is too long or has no declared
 * length, before the body is read. Thread-safe.
 */
public final class BodyLimitWebFilter implements WebFilter {

	private static final long MAX_DISCARDED_BYTES = 1024 * 1024;

	private static final Duration MAX_DISCARD = Duration.ofSeconds(1);

	private final PathPattern paths;

	private final long maxBytes;

	/**
	 * Create a filter.
	 * @param path the path after the context path, without a slash at its end
	 * @param maxBytes the maximum length of a body
	 */
	public BodyLimitWebFilter(String path, long maxBytes) {
		this.paths = PathPatternParser.defaultInstance.parse(path + "/**");
		this.maxBytes = maxBytes;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		// The same match as for handlers: by the decoded path without parameters.
		if (!this.paths.matches(request.getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		long length = request.getHeaders().getContentLength();
		boolean writes = request.getMethod().equals(HttpMethod.POST) || request.getMethod().equals(HttpMethod.PUT);
		if (writes && length < 0) {
			return reject(exchange.getResponse(), HttpStatus.LENGTH_REQUIRED);
		}
		return (length > this.maxBytes)
				? discard(request).then(reject(exchange.getResponse(), HttpStatus.CONTENT_TOO_LARGE))
				: chain.filter(exchange);
	}

	// Reads and discards the body, because a server that closes a connection with unread
	// bytes resets it, and the client may not receive the response. A client that sends
	// more, or sends slowly, is not waited for.
	private static Mono<Void> discard(ServerHttpRequest request) {
		return request.getBody()
			.map(BodyLimitWebFilter::released)
			.scan(0L, Long::sum)
			.takeUntil((bytes) -> bytes > MAX_DISCARDED_BYTES)
			.take(MAX_DISCARD)
			.then();
	}

	private static long released(DataBuffer buffer) {
		int bytes = buffer.readableByteCount();
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private Mono<Void> reject(ServerHttpResponse response, HttpStatus status) {
		byte[] problem = BodyLimit.problem(status, this.maxBytes);
		response.setStatusCode(status);
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getHeaders().setContentLength(problem.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(problem)));
	}

}
