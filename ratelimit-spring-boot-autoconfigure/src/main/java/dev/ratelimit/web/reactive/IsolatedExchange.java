package dev.ratelimit.web.reactive;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * An exchange whose attributes, status, and header fields can be changed without changing
 * the original exchange.
 */
final class IsolatedExchange extends ServerWebExchangeDecorator {

	private final Map<String, Object> attributes;

	private final ServerHttpResponse response;

	IsolatedExchange(ServerWebExchange exchange) {
		super(exchange);
		this.attributes = new ConcurrentHashMap<>(exchange.getAttributes());
		this.response = new SideResponse(exchange.getResponse());
	}

	@Override
	public Map<String, Object> getAttributes() {
		return this.attributes;
	}

	@Override
	public ServerHttpResponse getResponse() {
		return this.response;
	}

	private static final class SideResponse extends ServerHttpResponseDecorator {

		private final HttpHeaders headers = new HttpHeaders();

		SideResponse(ServerHttpResponse response) {
			super(response);
			this.headers.putAll(response.getHeaders());
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public boolean setStatusCode(@Nullable HttpStatusCode status) {
			return false;
		}

		@Override
		public boolean setRawStatusCode(@Nullable Integer value) {
			return false;
		}

		@Override
		public Mono<Void> setComplete() {
			return Mono.empty();
		}

	}

}
