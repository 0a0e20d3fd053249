package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.ImaginedRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * The handler methods of WebFlux: read once they all exist, and asked where reading is
 * not enough.
 *
 * @since 0.1.0
 */
public final class ReactiveHandlers {

	private static final Log logger = LogFactory.getLog(ReactiveHandlers.class);

	private final Supplier<List<RequestMappingHandlerMapping>> mappings;

	/**
	 * The handlers of some mappings.
	 * @param mappings the mappings, in their order; asked for when they all exist
	 */
	public ReactiveHandlers(Supplier<List<RequestMappingHandlerMapping>> mappings) {
		this.mappings = SingletonSupplier.of(mappings);
	}

	/**
	 * All ways to reach handler methods.
	 * @return the routes
	 */
	public List<HandlerRoute> routes() {
		return this.mappings.get()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.flatMap((mapped) -> routes(mapped.getKey(), mapped.getValue()))
			.toList();
	}

	private static Stream<HandlerRoute> routes(RequestMappingInfo info, HandlerMethod handler) {
		return HandlerRoute.of(handler, info.getPatternsCondition().getPatterns(),
				info.getMethodsCondition().getMethods(), isSimple(info));
	}

	private static boolean isSimple(RequestMappingInfo info) {
		return info.getParamsCondition().isEmpty() && info.getHeadersCondition().isEmpty()
				&& info.getConsumesCondition().isEmpty() && info.getProducesCondition().isEmpty()
				&& info.getVersionCondition().isEmpty() && info.getCustomCondition() == null;
	}

	/**
	 * Ask who would serve a request that nobody has sent.
	 * @param request the request
	 * @return the handler method; empty if none serves it
	 */
	public CompletableFuture<Optional<HandlerKey>> ask(ImaginedRequest request) {
		return ask(ImaginedExchange.of(request));
	}

	CompletableFuture<Optional<HandlerKey>> ask(ServerWebExchange exchange) {
		ServerWebExchange question = new SideExchange(exchange);
		return Flux.fromIterable(this.mappings.get())
			.concatMap((mapping) -> mapping.getHandler(question).onErrorResume(ReactiveHandlers::nobody))
			.next()
			.map((handler) -> (handler instanceof HandlerMethod method) ? Optional.of(HandlerKey.of(method))
					: Optional.<HandlerKey>empty())
			.defaultIfEmpty(Optional.empty())
			.toFuture()
			.thenApply(Objects::requireNonNull);
	}

	// A mapping says by errors of any kind that no handler accepts the request; the
	// dispatcher will hear the same and answer with the right status.
	private static Mono<Object> nobody(Throwable failure) {
		logger.debug("A handler mapping accepts the request by none of its handlers", failure);
		return Mono.empty();
	}

}
