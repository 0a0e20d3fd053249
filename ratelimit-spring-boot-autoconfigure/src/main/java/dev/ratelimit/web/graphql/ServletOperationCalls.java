package dev.ratelimit.web.graphql;

import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.Executor;

import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.servlet.ServletGateRequest;
import dev.ratelimit.web.servlet.ServletHandlers;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebSocketGraphQlRequest;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Finds the servlet request of an operation. A message over a WebSocket has no servlet
 * request.
 *
 * @param handlers the handlers, which create views of requests
 * @param addresses finds the addresses of clients
 * @param rewritten whether the address of a handshake may come from headers
 * @param executor runs the continuation of a decision
 */
record ServletOperationCalls(ServletHandlers handlers, ClientAddresses addresses, boolean rewritten,
		Executor executor) implements OperationCalls {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder",
			ServletOperationCalls.class.getClassLoader());

	@Override
	public Mono<GateRequest> find(WebGraphQlRequest request) {
		if (!(request instanceof WebSocketGraphQlRequest)
				&& RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			return Mono.just(ServletGateRequest.of(attributes.getRequest(), this.handlers, this.addresses));
		}
		return Mono.deferContextual(
				(context) -> Mono.just(OperationCall.of(request, principal(context), this.addresses, this.rewritten)));
	}

	private static Optional<Principal> principal(ContextView context) {
		return (SECURITY) ? Security.principal(context) : Optional.empty();
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class Security {

		// The connection may be authenticated by its first message.
		static Optional<Principal> principal(ContextView context) {
			SecurityContext security = context.<SecurityContext>getOrEmpty(SecurityContext.class.getName())
				.orElseGet(SecurityContextHolder::getContext);
			return PrincipalAuthorities.authenticated(security.getAuthentication());
		}

	}

}
