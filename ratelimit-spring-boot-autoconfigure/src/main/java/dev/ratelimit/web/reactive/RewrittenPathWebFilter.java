package dev.ratelimit.web.reactive;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: the last filter. If another filter has changed the path of a request, the
 * rules of the new path are also evaluated.
 */
final class RewrittenPathWebFilter implements WebFilter, Ordered {

	private final RateLimitWebFilter gate;

	/**
	 * Create a filter that runs after all others.
	 * @param gate the filter of the late phase
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
