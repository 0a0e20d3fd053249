package dev.ratelimit.web.reactive;

import dev.ratelimit.web.response.EmptySegments;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: rejects changes below a path that have an empty segment. Thread-safe.
 */
public final class EmptySegmentWebFilter implements WebFilter {

	private final PathPattern paths;

	/**
	 * Create a filter.
	 * @param path the path after the context path, without a slash at its end
	 */
	public EmptySegmentWebFilter(String path) {
		this.paths = PathPatternParser.defaultInstance.parse(path + "/**");
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		PathContainer path = request.getPath().pathWithinApplication();
		return (this.paths.matches(path) && EmptySegments.isIn(request.getMethod().name(), path))
				? reject(exchange.getResponse()) : chain.filter(exchange);
	}

	private static Mono<Void> reject(ServerHttpResponse response) {
		byte[] error = EmptySegments.error();
		response.setStatusCode(HttpStatus.BAD_REQUEST);
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		response.getHeaders().setContentLength(error.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(error)));
	}

}
