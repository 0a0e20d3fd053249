package dev.ratelimit.web.reactive;

import dev.ratelimit.gate.CallOrigin;
import dev.ratelimit.web.CrossSite;
import reactor.util.context.ContextView;

import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * Internal: finds the exchange that a subscription is part of.
 */
final class ReactiveCallOrigin implements CallOrigin {

	@Override
	public boolean isCrossSite(ContextView subscription) {
		return ServerWebExchangeContextFilter.getExchange(subscription)
			.map((exchange) -> CrossSite.isSentBy(exchange.getRequest().getHeaders()::getOrEmpty))
			.orElse(true);
	}

}
