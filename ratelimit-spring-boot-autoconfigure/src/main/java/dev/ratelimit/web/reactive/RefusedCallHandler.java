package dev.ratelimit.web.reactive;

import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.Passage;
import dev.ratelimit.web.refusal.RefusedCall;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Internal: refuses a request whose handler was refused by a limited method, unless the
 * application handles the exception itself.
 */
public final class RefusedCallHandler implements WebExceptionHandler, Ordered {

	/** One before Boot's error pages. */
	private static final int ORDER = -2;

	private final ReactiveRefusals refusals;

	private final ReactiveHandlers handlers;

	private final ClientAddresses addresses;

	/**
	 * A handler.
	 * @param refusals the writer of refusals
	 * @param handlers the handler methods
	 * @param addresses finds clients' addresses
	 */
	public RefusedCallHandler(ReactiveRefusals refusals, ReactiveHandlers handlers, ClientAddresses addresses) {
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
		Optional<RateLimitExceededException> refusal = RefusedCall.in(failure);
		if (refusal.isEmpty() || exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		Mono<Void> refused = this.refusals.refuse(Passage.of(refusal.get().decision()), exchange,
				new ExchangeGateRequest(exchange, this.handlers, Optional.empty(), this.addresses));
		return RequestThreads.afterRead(exchange.getRequest(), refused);
	}

}
