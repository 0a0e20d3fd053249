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

	private static final String ATTRIBUTE = ReactiveCompletion.class.getName();

	private static final String ENDED = ATTRIBUTE + ".ENDED";

	private ReactiveCompletion() {
	}

	static boolean isExpected(ServerWebExchange exchange) {
		return exchange.getAttributes().containsKey(ATTRIBUTE);
	}

	static Mono<Void> filter(WebFilterChain chain, ServerWebExchange exchange) {
		exchange.getAttributes().put(ATTRIBUTE, Boolean.TRUE);
		return chain.filter(exchange).doOnTerminate(() -> left(exchange)).doOnCancel(() -> cancelled(exchange));
	}

	/**
	 * Free what a request holds that has ended before it was admitted: a client may go
	 * away while a filter in between is at work.
	 * @param exchange the exchange, which knows the progress already
	 * @param progress the progress
	 */
	static void freeIfEnded(ServerWebExchange exchange, RequestProgress progress) {
		if (exchange.getAttributes().containsKey(ENDED)) {
			progress.free();
		}
	}

	private static void left(ServerWebExchange exchange) {
		exchange.getAttributes().put(ENDED, Boolean.TRUE);
		RequestProgress progress = ExchangeProgress.of(exchange);
		if (!progress.pending()) {
			return;
		}
		progress.free();
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			progress.settle(status(response));
		}
		else {
			response.beforeCommit(() -> Mono.fromRunnable(() -> progress.settle(status(response))));
		}
	}

	private static void cancelled(ServerWebExchange exchange) {
		exchange.getAttributes().put(ENDED, Boolean.TRUE);
		RequestProgress progress = ExchangeProgress.of(exchange);
		progress.free();
		if (exchange.getResponse().isCommitted()) {
			progress.settle(status(exchange.getResponse()));
		}
	}

	private static int status(ServerHttpResponse response) {
		HttpStatusCode status = response.getStatusCode();
		return (status != null) ? status.value() : HttpStatus.OK.value();
	}

}
