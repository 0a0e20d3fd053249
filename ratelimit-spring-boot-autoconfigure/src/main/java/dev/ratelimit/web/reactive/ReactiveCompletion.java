package dev.ratelimit.web.reactive;

import java.time.Duration;

import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.EventStreams;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Ends a request for all phases, in the outermost of our filters: frees what is held once
 * the work is done, and corrects charges by the status that is sent. Errors get theirs
 * from exception handlers further out, so it is read when the response is committed. A
 * request that is given up before has none, and its charges stand.
 */
final class ReactiveCompletion {

	private ReactiveCompletion() {
	}

	static Mono<Void> filter(WebFilterChain chain, ServerWebExchange exchange, ExchangeProgress progress) {
		return chain.filter(exchange)
			.doOnSuccess((nothing) -> left(exchange, progress, status(exchange.getResponse())))
			.doOnError((failure) -> left(exchange, progress, Ending.NO_STATUS))
			.doOnCancel(() -> cancelled(exchange, progress));
	}

	/**
	 * End a request once it has held its slots for as long as it may: a response that has
	 * begun is completed, another one is an error.
	 * @param chain what comes behind
	 * @param longest how long
	 * @return the chain to go on with
	 */
	static WebFilterChain limited(WebFilterChain chain, Duration longest) {
		return (exchange) -> chain.filter(exchange)
			.timeout(Mono.delay(longest), Mono.defer(() -> (exchange.getResponse().isCommitted()) ? Mono.empty() : Mono
				.error(new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "The request has taken too long"))));
	}

	/**
	 * Free what a request holds that has ended before it was admitted: a client may go
	 * away while a filter in between is at work.
	 * @param progress the progress, with what is held
	 */
	static void freeIfEnded(ExchangeProgress progress) {
		if (progress.ended()) {
			progress.reached().free();
		}
	}

	/**
	 * Free what is not meant for responses that are written to for long, as soon as that
	 * shows: events, and connections that become something else.
	 * @param exchange the exchange
	 * @param progress the progress
	 */
	static void watchStreams(ServerWebExchange exchange, ExchangeProgress progress) {
		exchange.getResponse().beforeCommit(() -> {
			if (streams(exchange)) {
				progress.reached().endings().streams();
			}
			return Mono.empty();
		});
	}

	private static boolean streams(ServerWebExchange exchange) {
		Object handler = exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
		return EventStreams.isDeclared(exchange.getResponse().getHeaders().getFirst(HttpHeaders.CONTENT_TYPE), handler,
				exchange.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE))
				|| status(exchange.getResponse()) == HttpStatus.SWITCHING_PROTOCOLS.value()
				|| isConnect(exchange.getRequest(), handler);
	}

	// Reactor Netty switches the protocol without the status 101 being set. A client that
	// merely names a WebSocket reaches no handler of them.
	private static boolean isConnect(ServerHttpRequest request, @Nullable Object handler) {
		return request.getMethod().name().equals("CONNECT") || (handler instanceof WebSocketHandler
				&& "websocket".equalsIgnoreCase(request.getHeaders().getUpgrade()));
	}

	private static void left(ServerWebExchange exchange, ExchangeProgress known, int soFar) {
		RequestProgress progress = known.end();
		if (!progress.pending()) {
			return;
		}
		free(known, progress, soFar);
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			progress.settle(status(response));
		}
		else {
			response.beforeCommit(() -> Mono.fromRunnable(() -> progress.settle(status(response))));
		}
	}

	private static void cancelled(ServerWebExchange exchange, ExchangeProgress known) {
		RequestProgress progress = known.end();
		free(known, progress, Ending.NO_STATUS);
		if (exchange.getResponse().isCommitted()) {
			progress.settle(status(exchange.getResponse()));
		}
	}

	// A connection holds its own slots until it is closed.
	private static void free(ExchangeProgress known, RequestProgress progress, int status) {
		if (known.connection() != null) {
			progress.endings().freeRequest(status);
		}
		else {
			progress.free(status);
		}
	}

	private static int status(ServerHttpResponse response) {
		HttpStatusCode status = response.getStatusCode();
		return (status != null) ? status.value() : HttpStatus.OK.value();
	}

}
