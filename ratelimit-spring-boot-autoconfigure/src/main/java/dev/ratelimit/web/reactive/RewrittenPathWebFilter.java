package dev.ratelimit.web.reactive;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: the last filter: a request that another filter has given a path of its own
 * meets the rules of that path too.
 */
final class RewrittenPathWebFilter implements WebFilter, Ordered {

	private final RateLimitWebFilter gate;

	/**
	 * A filter behind all others.
	 * @param gate lets requests through the gate in the late phase
	 */
	RewrittenPathWebFilter(RateLimitWebFilter gate) {
		this.gate = gate;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return (RateLimitWebFilter.isRewritten(exchange)) ? this.gate.filterRewritten(exchange, chain)
				: chain.filter(exchange);
	}

}
