package dev.ratelimit.web.reactive;

import dev.ratelimit.RateLimitContext;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * Internal: provides {@link RateLimitContext} to handler methods of WebFlux.
 */
final class ReactiveContextArgumentResolver implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType().equals(RateLimitContext.class);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
		return Mono.just(exchange.getAttributeOrDefault(RateLimitContext.ATTRIBUTE, RateLimitContext.NONE));
	}

}
