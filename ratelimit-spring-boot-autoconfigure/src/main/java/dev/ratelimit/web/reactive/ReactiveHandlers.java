package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.MappingOrder;
import dev.ratelimit.web.SimulatedRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.util.UriUtils;

/**
 * Internal: the handler methods of WebFlux. They are read when all of them exist; if
 * patterns are not sufficient, the mappings are called.
 */
public final class ReactiveHandlers {

	private static final Log logger = LogFactory.getLog(ReactiveHandlers.class);

	private final Supplier<MappingOrder<HandlerMapping, RequestMappingHandlerMapping>> order;

	/**
	 * Create the handlers of mappings.
	 * @param mappings all mappings, in their order; called when they all exist
	 */
	ReactiveHandlers(Supplier<List<HandlerMapping>> mappings) {
		this.order = SingletonSupplier.of(() -> MappingOrder.of(mappings.get(), RequestMappingHandlerMapping.class,
				RouterFunctionMapping.class, ReactiveHandlers::isSilent));
	}

	// Endpoints of the actuator are not charged, and their paths are recognized earlier.
	private static boolean isSilent(HandlerMapping mapping) {
		if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
			return !(mapping instanceof RequestMappingHandlerMapping) || methods.getHandlerMethods().isEmpty();
		}
		return mapping instanceof RouterFunctionMapping router && router.getRouterFunction() == null;
	}

	/**
	 * Whether other mappings may serve requests before those of handler methods.
	 * @return whether other mappings precede
	 */
	boolean preceded() {
		return !this.order.get().before().isEmpty();
	}

	/**
	 * Return all routes to handler methods.
	 * @return the routes
	 */
	List<HandlerRoute> routes() {
		return this.order.get()
			.methods()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap((mapped) -> routes(mapped.getKey(), mapped.getValue()))
			.toList();
	}

	private Stream<HandlerRoute> routes(RequestMappingInfo info, HandlerMethod handler) {
		return HandlerRoute.of(handler, info.getPatternsCondition().getPatterns(),
				info.getMethodsCondition().getMethods(), isSimple(info) && !this.order.get().mixed());
	}

	private static boolean isSimple(RequestMappingInfo info) {
		return info.getParamsCondition().isEmpty() && info.getHeadersCondition().isEmpty()
				&& info.getConsumesCondition().isEmpty() && info.getProducesCondition().isEmpty()
				&& info.getVersionCondition().isEmpty() && info.getCustomCondition() == null;
	}

	/**
	 * Find the handlers of simulated requests.
	 * @return the finder
	 */
	HandlerMappings mappings() {
		return new HandlerMappings() {

			@Override
			public CompletableFuture<Optional<HandlerKey>> findHandler(SimulatedRequest request) {
				return ReactiveHandlers.this.findHandler(SimulatedExchange.of(request));
			}

			@Override
			public CompletableFuture<Optional<String>> findRoute(SimulatedRequest request) {
				return ReactiveHandlers.this.findRoute(SimulatedExchange.of(request));
			}

		};
	}

	CompletableFuture<Optional<HandlerKey>> findHandler(ServerWebExchange exchange) {
		return find(this.order.get().called(), new IsolatedExchange(exchange))
			.map((handler) -> (handler instanceof HandlerMethod method) ? Optional.of(HandlerKey.of(method))
					: Optional.<HandlerKey>empty())
			.defaultIfEmpty(Optional.empty())
			.toFuture()
			.thenApply(Objects::requireNonNull);
	}

	CompletableFuture<Boolean> hasOtherHandler(ServerWebExchange exchange) {
		return find(this.order.get().before(), new IsolatedExchange(exchange)).hasElement()
			.toFuture()
			.thenApply(Objects::requireNonNull);
	}

	// Only these handlers are considered, because others set no pattern on servlet.
	CompletableFuture<Optional<String>> findRoute(ServerWebExchange exchange) {
		ServerWebExchange question = new IsolatedExchange(exchange);
		question.getAttributes().remove(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return find(this.order.get().routed(), question)
			.filter((handler) -> handler instanceof HandlerMethod || handler instanceof HandlerFunction)
			.mapNotNull((handler) -> question.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))
			.map((pattern) -> Optional.of(pattern.toString()))
			.defaultIfEmpty(Optional.empty())
			.toFuture()
			.thenApply(Objects::requireNonNull);
	}

	private static Mono<Object> find(List<HandlerMapping> mappings, ServerWebExchange question) {
		return Flux.fromIterable(mappings)
			.concatMap((mapping) -> mapping.getHandler(question).onErrorResume(ReactiveHandlers::noHandler))
			.next();
	}

	// If no handler accepts the request, a mapping may return any error. The dispatcher
	// will receive the same error, and respond with the matching status.
	private static Mono<Object> noHandler(Throwable failure) {
		logger.debug("No handler of a mapping matches the request", failure);
		return Mono.empty();
	}

	/**
	 * A simulated exchange, with the properties that handler mappings read.
	 */
	private static final class SimulatedExchange extends ServerWebExchangeDecorator {

		private static final String NOT_IN_URIS = "\"#<>[\\]^`{|}";

		private static final char DELETE = 0x7f;

		private final SimulatedRequest request;

		private SimulatedExchange(SimulatedRequest request, ServerWebExchange exchange) {
			super(exchange);
			this.request = request;
		}

		static ServerWebExchange of(SimulatedRequest request) {
			return new SimulatedExchange(request,
					new DefaultServerWebExchange(new Request(request), new Response(), (exchange) -> Mono.empty(),
							ServerCodecConfigurer.create(), new AcceptHeaderLocaleContextResolver()));
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
			return URI
				.create(encoded(request.path()) + ((request.query().isEmpty()) ? "" : "?" + encoded(request.query())));
		}

		// Servers may accept characters that are not valid in URIs, so they are encoded.
		private static String encoded(String text) {
			StringBuilder encoded = new StringBuilder(text.length());
			for (int i = 0; i < text.length(); i++) {
				char next = text.charAt(i);
				boolean escape = next == '%' && i + 2 < text.length() && HexFormat.isHexDigit(text.charAt(i + 1))
						&& HexFormat.isHexDigit(text.charAt(i + 2));
				if (escape || next != '%' && next > ' ' && next < DELETE && NOT_IN_URIS.indexOf(next) < 0) {
					encoded.append(next);
				}
				else {
					int character = text.codePointAt(i);
					encoded.append(UriUtils.encode(Character.toString(character), StandardCharsets.UTF_8));
					i += Character.charCount(character) - 1;
				}
			}
			return encoded.toString();
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
		 * A response that is not written.
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

}
