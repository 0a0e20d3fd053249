package dev.ratelimit.web.reactive;

import dev.ratelimit.web.NamedRules;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: applies rules to exchanges by their ids, after the filters of both phases.
 * Thread-safe.
 */
public interface NamedRulesFilter {

	/**
	 * Apply rules to a request, except those that have already charged it. A repeated
	 * call for the same request is a further attempt.
	 * @param named the rules
	 * @param source the object that references the rules, the same for each attempt
	 * @param exchange the exchange
	 * @param chain the filters and the handler after this one
	 * @return completed when the request is completed
	 */
	Mono<Void> filter(NamedRules named, Object source, ServerWebExchange exchange, WebFilterChain chain);

}
