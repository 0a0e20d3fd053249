package dev.ratelimit.web.graphql;

import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.Executor;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.reactive.ExchangeGateRequest;
import dev.ratelimit.web.reactive.ReactiveHandlers;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * Finds the exchange of an operation: for a message over a WebSocket, that of the
 * handshake. The continuation of a decision of Redis runs on a thread other than the one
 * that reads replies, because a resolver that blocks would delay all replies.
 *
 * @param handlers the handlers, which create views of exchanges
 * @param addresses finds the addresses of clients
 */
record ReactiveOperationCalls(ReactiveHandlers handlers, ClientAddresses addresses) implements OperationCalls {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.core.context.ReactiveSecurityContextHolder",
			ReactiveOperationCalls.class.getClassLoader());

	@Override
	public Mono<GateRequest> find(WebGraphQlRequest request) {
		return Mono.deferContextual((context) -> ServerWebExchangeContextFilter.getExchange(context)
			.map(this::view)
			.orElseGet(() -> Mono.just(OperationCall.of(request, Optional.empty(), this.addresses, true))));
	}

	private Mono<GateRequest> view(ServerWebExchange exchange) {
		return ((SECURITY) ? Security.principal(exchange) : exchange.getPrincipal()).map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.map((principal) -> ExchangeGateRequest.of(exchange, this.handlers, principal, this.addresses));
	}

	@Override
	public Executor executor() {
		return Schedulers.parallel()::schedule;
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class Security {

		// The connection may be authenticated by its first message.
		static Mono<Principal> principal(ServerWebExchange exchange) {
			return ReactiveSecurityContextHolder.getContext()
				.mapNotNull(SecurityContext::getAuthentication)
				.cast(Principal.class)
				.switchIfEmpty(exchange.getPrincipal())
				.filter((principal) -> PrincipalAuthorities.authenticated(principal).isPresent());
		}

	}

}
