package dev.ratelimit.web.reactive;

import dev.ratelimit.gate.Call;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: a filter that first copies the observation in Reactor's context to an
 * attribute of the exchange, for the observers of the gate, because on WebFlux no thread
 * has the observation of a request.
 */
final class ObservedWebFilter implements WebFilter, Ordered {

	private final WebFilter filter;

	private final int order;

	/**
	 * Create an observed filter.
	 * @param <F> the type of the filter
	 * @param filter the filter
	 */
	<F extends WebFilter & Ordered> ObservedWebFilter(F filter) {
		this.filter = filter;
		this.order = filter.getOrder();
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return Mono.deferContextual((context) -> {
			context.getOrEmpty(Call.OBSERVATION)
				.ifPresent((observation) -> exchange.getAttributes().put(Call.OBSERVATION, observation));
			return this.filter.filter(exchange, chain);
		});
	}

}
