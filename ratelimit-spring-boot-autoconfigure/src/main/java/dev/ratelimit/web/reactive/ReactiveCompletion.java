package dev.ratelimit.web.reactive;

import dev.ratelimit.gate.RequestProgress;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
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
			.doOnTerminate(() -> left(exchange, progress))
			.doOnCancel(() -> cancelled(exchange, progress));
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

	private static void left(ServerWebExchange exchange, ExchangeProgress known) {
		RequestProgress progress = known.end();
		if (!progress.pending()) {
			return;
		}
		free(known, progress);
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
		free(known, progress);
		if (exchange.getResponse().isCommitted()) {
			progress.settle(status(exchange.getResponse()));
		}
	}

	// A connection holds its own slots until it is closed.
	private static void free(ExchangeProgress known, RequestProgress progress) {
		if (known.connection() != null) {
			progress.free(false);
		}
		else {
			progress.free();
		}
	}

	private static int status(ServerHttpResponse response) {
		HttpStatusCode status = response.getStatusCode();
		return (status != null) ? status.value() : HttpStatus.OK.value();
	}

}
