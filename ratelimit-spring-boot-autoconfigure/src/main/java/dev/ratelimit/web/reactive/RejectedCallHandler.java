package dev.ratelimit.web.reactive;

import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.RejectedCall;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Internal: rejects a request whose handler was rejected by a limited method, unless the
 * application handles the exception itself.
 */
final class RejectedCallHandler implements WebExceptionHandler, Ordered {

	/** Directly before the error handling of Spring Boot. */
	private static final int ORDER = -2;

	private final ReactiveRejections rejections;

	private final ReactiveHandlers handlers;

	private final ClientAddresses addresses;

	/**
	 * Create a handler.
	 * @param rejections the writer of rejections
	 * @param handlers the handler methods
	 * @param addresses finds clients' addresses
	 */
	RejectedCallHandler(ReactiveRejections rejections, ReactiveHandlers handlers, ClientAddresses addresses) {
		this.addresses = addresses;
		this.rejections = rejections;
		this.handlers = handlers;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		Optional<RateLimitExceededException> rejection = RejectedCall.in(failure);
		if (rejection.isEmpty() || exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		Mono<Void> rejected = this.rejections.reject(RequestProgress.of(rejection.get().decision()), exchange,
				new ExchangeGateRequest(exchange, this.handlers, Optional.empty(), this.addresses));
		return RequestThreads.afterRead(exchange.getRequest(), rejected);
	}

}
