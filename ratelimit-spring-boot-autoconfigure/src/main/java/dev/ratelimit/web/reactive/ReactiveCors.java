package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.web.response.FirstFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: adds the CORS fields of the application to rejections, because most
 * rejections are written before CORS is processed. Thread-safe.
 */
final class ReactiveCors {

	private static final Log logger = LogFactory.getLog(ReactiveCors.class);

	private final FirstFailure failure = new FirstFailure(logger,
			"Failed to apply CORS to a rejection; sending it without CORS headers.");

	private final Function<ServerWebExchange, Flux<CorsWebFilter>> filters;

	private final Supplier<List<HandlerMapping>> mappings;

	/**
	 * Create the CORS configuration of an application.
	 * @param filters the filters that process CORS of an exchange, in their order
	 * @param mappings the handler mappings, in their order; called when they all exist
	 */
	ReactiveCors(Function<ServerWebExchange, Flux<CorsWebFilter>> filters, Supplier<List<HandlerMapping>> mappings) {
		this.filters = filters;
		this.mappings = SingletonSupplier.of(mappings);
	}

	/**
	 * Set the header fields of CORS, if the request is from an origin that may read the
	 * response.
	 * @param exchange the exchange
	 * @return whether it may read the response; completed when the fields are set
	 */
	Mono<Boolean> apply(ServerWebExchange exchange) {
		if (!exchange.getRequest().getHeaders().containsHeader(HttpHeaders.ORIGIN)) {
			return Mono.just(false);
		}
		return Mono.defer(() -> check(exchange))
			.doOnError(this.failure::log)
			.onErrorComplete()
			.then(Mono.fromSupplier(() -> isAllowed(exchange)));
	}

	private Mono<Void> check(ServerWebExchange exchange) {
		if (!isCors(exchange) || isAllowed(exchange)) {
			return Mono.empty();
		}
		ServerWebExchange side = new IsolatedExchange(exchange);
		return this.filters.apply(side)
			.concatMap((filter) -> isLast(filter, side))
			.any((last) -> last)
			.flatMap((last) -> (last) ? Mono.empty() : checkMappings(side))
			.then(Mono.fromRunnable(() -> copy(side, exchange)));
	}

	// No browser sends a malformed origin, and no configuration allows it.
	private static boolean isCors(ServerWebExchange exchange) {
		try {
			return CorsUtils.isCorsRequest(exchange.getRequest());
		}
		catch (IllegalArgumentException ex) {
			logger.debug("The origin is malformed", ex);
			return false;
		}
	}

	private static Mono<Boolean> isLast(CorsWebFilter filter, ServerWebExchange side) {
		AtomicBoolean passed = new AtomicBoolean();
		return filter.filter(side, (same) -> Mono.fromRunnable(() -> passed.set(true)))
			.then(Mono.fromSupplier(() -> !passed.get() || isAllowed(side)));
	}

	// A mapping combines the configuration of the handler with the global one, and
	// applies it when it finds the handler. If no handler accepts the request, the
	// mapping may return any error. There is then no CORS configuration for the request.
	private Mono<Void> checkMappings(ServerWebExchange side) {
		return Flux.fromIterable(this.mappings.get())
			.concatMap((mapping) -> mapping.getHandler(side))
			.next()
			.doOnError((failure) -> logger.debug("No handler matches the request", failure))
			.onErrorComplete()
			.then();
	}

	private static boolean isAllowed(ServerWebExchange exchange) {
		return exchange.getResponse().getHeaders().containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
	}

	private static void copy(ServerWebExchange from, ServerWebExchange to) {
		to.getResponse().getHeaders().putAll(from.getResponse().getHeaders());
	}

}
