package dev.ratelimit.web.reactive;

import java.util.List;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.rejection.RejectionFactory;
import dev.ratelimit.web.rejection.RejectionResponse;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: writes refusals to WebFlux exchanges. Thread-safe.
 */
public final class ReactiveRejections {

	private final RejectionFactory refusals;

	private final ReactiveCors cors;

	/**
	 * A writer of refusals.
	 * @param refusals what is written
	 * @param cors who may read it
	 */
	public ReactiveRejections(RejectionFactory refusals, ReactiveCors cors) {
		this.refusals = refusals;
		this.cors = cors;
	}

	Mono<Void> refuse(RequestProgress progress, ServerWebExchange exchange, ExchangeGateRequest view) {
		return write(this.refusals.refused(progress, view, exchange.getRequest().getPath().value()), exchange);
	}

	private Mono<Void> write(RejectionResponse refusal, ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
		RateLimitExchange.tell(List.of(), this.refusals.disclosure(), exchange);
		this.refusals.disclosure().names().forEach(response.getHeaders()::remove);
		refusal.headers().forEach(response.getHeaders()::set);
		response.getHeaders().setContentLength(refusal.body().length);
		return this.cors.apply(exchange)
			.doOnNext((allowed) -> expose(allowed, refusal, response.getHeaders()))
			.then(Mono.defer(() -> writeBody(refusal, exchange)));
	}

	private static void expose(boolean allowed, RejectionResponse refusal, HttpHeaders headers) {
		String names = (allowed) ? refusal.unexposed(exposed(headers)) : "";
		if (!names.isEmpty()) {
			headers.add(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

	private static List<String> exposed(HttpHeaders headers) {
		return headers.getOrEmpty(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);
	}

	private static Mono<Void> writeBody(RejectionResponse refusal, ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		if (HttpMethod.HEAD.equals(exchange.getRequest().getMethod())) {
			return response.setComplete();
		}
		return response.writeWith(Mono.just(response.bufferFactory().wrap(refusal.body())));
	}

}
