package dev.ratelimit.web.reactive;

import java.util.List;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionResponse;
import dev.ratelimit.web.response.Tarpits;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: writes rejections to WebFlux exchanges. Thread-safe.
 */
final class ReactiveRejections {

	private final RejectionFactory rejections;

	private final ReactiveCors cors;

	private final Tarpits tarpits;

	/**
	 * Create a writer of rejections.
	 * @param rejections creates the responses
	 * @param cors adds CORS fields
	 * @param tarpits delays some rejections
	 */
	ReactiveRejections(RejectionFactory rejections, ReactiveCors cors, Tarpits tarpits) {
		this.rejections = rejections;
		this.cors = cors;
		this.tarpits = tarpits;
	}

	Mono<Void> reject(RequestProgress progress, ServerWebExchange exchange, ExchangeGateRequest view) {
		RejectionResponse rejection = this.rejections.rejected(progress, view, exchange.getRequest().getPath().value());
		Mono<Void> written = write(rejection, exchange);
		return Tarpits.of(progress).flatMap(this.tarpits::enter).map((over) -> {
			// The delayed request holds no seat or slot.
			progress.free(rejection.status());
			return Mono.fromFuture(over, true).publishOn(RequestThreads.of(exchange.getRequest())).then(written);
		}).orElse(written);
	}

	private Mono<Void> write(RejectionResponse rejection, ServerWebExchange exchange) {
		this.rejections.count(ExchangeProgress.of(exchange).counted(), rejection);
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(rejection.status()));
		ExchangeProgress.clear(exchange);
		this.rejections.visibility().names().forEach(response.getHeaders()::remove);
		rejection.headers().forEach(response.getHeaders()::set);
		response.getHeaders().setContentLength(rejection.body().length);
		return this.cors.apply(exchange)
			.doOnNext((allowed) -> expose(allowed, rejection, response.getHeaders()))
			.then(Mono.defer(() -> writeBody(rejection, exchange)));
	}

	private static void expose(boolean allowed, RejectionResponse rejection, HttpHeaders headers) {
		String names = (allowed) ? rejection.unexposed(exposed(headers)) : "";
		if (!names.isEmpty()) {
			headers.add(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

	private static List<String> exposed(HttpHeaders headers) {
		return headers.getOrEmpty(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);
	}

	private static Mono<Void> writeBody(RejectionResponse rejection, ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		if (HttpMethod.HEAD.equals(exchange.getRequest().getMethod())) {
			return response.setComplete();
		}
		return response.writeWith(Mono.just(response.bufferFactory().wrap(rejection.body())));
	}

}
