package dev.ratelimit.web.reactive;

import dev.ratelimit.gate.RequestProgress;

import org.springframework.web.server.ServerWebExchange;

/**
 * How far an exchange has come, from one filter to the next.
 */
final class ExchangeProgress {

	private static final String ATTRIBUTE = ExchangeProgress.class.getName();

	private ExchangeProgress() {
	}

	static RequestProgress of(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(ATTRIBUTE, RequestProgress.START);
	}

	static void set(ServerWebExchange exchange, RequestProgress progress) {
		exchange.getAttributes().put(ATTRIBUTE, progress);
	}

}
