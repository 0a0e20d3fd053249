package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;

import dev.ratelimit.web.SimulatedRequest;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;

/**
 * An exchange that nobody has begun, with as much as handler mappings look at.
 */
final class SimulatedExchange extends ServerWebExchangeDecorator {

	private final SimulatedRequest request;

	private SimulatedExchange(SimulatedRequest request, ServerWebExchange exchange) {
		super(exchange);
		this.request = request;
	}

	static ServerWebExchange of(SimulatedRequest request) {
		return new SimulatedExchange(request, new DefaultServerWebExchange(new Request(request), new Response(),
				(exchange) -> Mono.empty(), ServerCodecConfigurer.create(), new AcceptHeaderLocaleContextResolver()));
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends Principal> Mono<T> getPrincipal() {
		return (Mono<T>) Mono.justOrEmpty(this.request.principal());
	}

	private static HttpHeaders headers(SimulatedRequest request) {
		HttpHeaders headers = new HttpHeaders();
		request.headers().forEach(headers::addAll);
		return headers;
	}

	private static URI uri(SimulatedRequest request) {
		return URI.create(request.path() + ((request.query().isEmpty()) ? "" : "?" + request.query()));
	}

	private static final class Request extends AbstractServerHttpRequest {

		Request(SimulatedRequest request) {
			super(HttpMethod.valueOf(request.method()), uri(request), null, headers(request));
		}

		@Override
		protected MultiValueMap<String, HttpCookie> initCookies() {
			return CollectionUtils.unmodifiableMultiValueMap(new LinkedMultiValueMap<>());
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return Flux.empty();
		}

		@Override
		public @Nullable InetSocketAddress getRemoteAddress() {
			return null;
		}

		@Override
		protected @Nullable SslInfo initSslInfo() {
			return null;
		}

		@Override
		public <T> T getNativeRequest() {
			throw new IllegalStateException("a simulated request has no server");
		}

	}

	/**
	 * Is never written.
	 */
	private static final class Response extends AbstractServerHttpResponse {

		Response() {
			super(DefaultDataBufferFactory.sharedInstance);
		}

		@Override
		protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
			return Mono.empty();
		}

		@Override
		protected void applyStatusCode() {
		}

		@Override
		protected void applyHeaders() {
		}

		@Override
		protected void applyCookies() {
		}

		@Override
		public <T> T getNativeResponse() {
			throw new IllegalStateException("a simulated response has no server");
		}

	}

}
