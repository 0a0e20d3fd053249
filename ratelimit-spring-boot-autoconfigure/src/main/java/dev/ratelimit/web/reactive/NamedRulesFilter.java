package dev.ratelimit.web.reactive;

import dev.ratelimit.web.NamedRules;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: applies rules to exchanges by their ids, behind the filters of both phases.
 * Thread-safe.
 */
public interface NamedRulesFilter {

	/**
	 * Apply rules to a request, except those that it was charged under before it came
	 * here. If it comes again, that is a further attempt.
	 * @param named the rules
	 * @param source what names them, the same for each attempt
	 * @param exchange the exchange
	 * @param chain what comes behind
	 * @return completed when the request is
	 */
	Mono<Void> filter(NamedRules named, Object source, ServerWebExchange exchange, WebFilterChain chain);

}
