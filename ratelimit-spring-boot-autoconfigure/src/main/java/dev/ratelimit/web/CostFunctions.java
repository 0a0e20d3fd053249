package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.CostResolver;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.request.GateRequest;
import dev.ratelimit.web.request.QueryParameter;

import org.springframework.http.HttpHeaders;

/**
 * Makes the functions that find what requests cost. What callers say is bounded: a number
 * that is none, or below 1, counts as 1.
 */
final class CostFunctions {

	private static final int MOST_DIGITS = 18;

	private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

	/** Their content has no defined meaning, and mostly there is none. */
	private static final Set<String> WITHOUT_CONTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "DELETE");

	private final Map<String, CostResolver> resolvers;

	CostFunctions(Map<String, CostResolver> resolvers) {
		this.resolvers = resolvers;
	}

	boolean needsPrincipal(Rule rule) {
		return rule.numbers().cost().kind() == Cost.Kind.BEAN && resolver(rule).needsPrincipal();
	}

	CostFunction<GateRequest> of(Rule rule) {
		Cost cost = rule.numbers().cost();
		return switch (cost.kind()) {
			case FIXED -> (request, tier) -> cost.units();
			case HEADER -> (request, tier) -> number(request.header(cost.argument()));
			case PARAM -> (request, tier) -> number(QueryParameter.first(request.query(), cost.argument()));
			case CONTENT_LENGTH -> CostFunctions::contentLength;
			case BEAN -> bean(resolver(rule));
		};
	}

	private static CostFunction<GateRequest> bean(CostResolver resolver) {
		return (request, tier) -> Math.max(0, resolver.cost(request));
	}

	private static long number(Optional<String> text) {
		return text.filter(CostFunctions::isNumber).map((digits) -> Math.max(1, Long.parseLong(digits))).orElse(1L);
	}

	// Content of unknown length costs all that the limit can hold: less would be a way
	// around it.
	private static long contentLength(GateRequest request, CompiledLimits tier) {
		Optional<String> length = request.header(HttpHeaders.CONTENT_LENGTH);
		if (length.isPresent() && isNumber(length.get())) {
			return Long.parseLong(length.get());
		}
		if (length.isPresent() || request.header(HttpHeaders.TRANSFER_ENCODING).isPresent()
				|| WITH_CONTENT.contains(request.method())) {
			return tier.capacity();
		}
		return (request.mayHideContent()) ? hidden(request, tier) : 0;
	}

	// Not nothing: an exhausted limit rejects it.
	private static long hidden(GateRequest request, CompiledLimits tier) {
		return (WITHOUT_CONTENT.contains(request.method())) ? 1 : tier.capacity();
	}

	private static boolean isNumber(String text) {
		return !text.isEmpty() && text.length() <= MOST_DIGITS
				&& text.chars().allMatch((character) -> character >= '0' && character <= '9');
	}

	private CostResolver resolver(Rule rule) {
		CostResolver resolver = this.resolvers.get(rule.numbers().cost().argument());
		if (resolver == null) {
			throw new InvalidRuleException(rule.location() + ".cost", rule.numbers().cost().toString(),
					"there is no bean '" + rule.numbers().cost().argument() + "' of type CostResolver",
					"Define it, or use one of " + this.resolvers.keySet() + ".");
		}
		return resolver;
	}

}
