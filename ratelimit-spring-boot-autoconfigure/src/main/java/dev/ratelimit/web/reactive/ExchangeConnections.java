package dev.ratelimit.web.reactive;

import dev.ratelimit.gate.ConnectionSlot;
import org.jspecify.annotations.Nullable;

import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: passes the slots of WebFlux requests to connections.
 */
public final class ExchangeConnections {

	private ExchangeConnections() {
	}

	/**
	 * The slots of a request that is about to be upgraded.
	 * @param exchange the exchange
	 * @param nowNanos the time
	 * @return the slots; null if no rule limits its connection
	 */
	public static @Nullable ConnectionSlot connect(ServerWebExchange exchange, long nowNanos) {
		ExchangeProgress progress = ExchangeProgress.find(exchange);
		return (progress != null) ? ConnectionSlot.of(progress.current(), nowNanos, progress::connect) : null;
	}

}
