package dev.ratelimit.web.reactive;

import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.rejection.RejectedCall;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Internal: refuses a request whose handler was refused by a limited method, unless the
 * application handles the exception itself.
 */
public final class RejectedCallHandler implements WebExceptionHandler, Ordered {

	/** One before Boot's error pages. */
	private static final int ORDER = -2;

	private final ReactiveRejections refusals;

	private final ReactiveHandlers handlers;

	private final ClientAddresses addresses;

	/**
	 * A handler.
	 * @param refusals the writer of refusals
	 * @param handlers the handler methods
	 * @param addresses finds clients' addresses
	 */
	public RejectedCallHandler(ReactiveRejections refusals, ReactiveHandlers handlers, ClientAddresses addresses) {
		this.addresses = addresses;
		this.refusals = refusals;
		this.handlers = handlers;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		Optional<RateLimitExceededException> refusal = RejectedCall.in(failure);
		if (refusal.isEmpty() || exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		Mono<Void> refused = this.refusals.refuse(RequestProgress.of(refusal.get().decision()), exchange,
				new ExchangeGateRequest(exchange, this.handlers, Optional.empty(), this.addresses));
		return RequestThreads.afterRead(exchange.getRequest(), refused);
	}

}
