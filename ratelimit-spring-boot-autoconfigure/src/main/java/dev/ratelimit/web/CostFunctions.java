package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.CostResolver;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;

import org.springframework.http.HttpHeaders;

/**
 * Makes the functions that find what requests cost. What clients say is bounded: what is
 * not a plain number costs all that the limit can hold, since the application may read a
 * number in it.
 */
final class CostFunctions {

	private static final int MOST_DIGITS = 18;

	/** Which of several values the application reads is not known: none is a number. */
	private static final String REPEATED = ",";

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
			case HEADER -> (request, tier) -> number(request.headers(cost.argument()), tier);
			case PARAM -> (request, tier) -> parameter(request, cost.argument(), tier);
			case CONTENT_LENGTH -> CostFunctions::contentLength;
			case BEAN -> bean(resolver(rule));
		};
	}

	private static CostFunction<GateRequest> bean(CostResolver resolver) {
		return (request, tier) -> Math.max(0, resolver.cost(request));
	}

	private static long parameter(GateRequest request, String name, CompiledLimits tier) {
		Optional<List<String>> values = request.parameters(name);
		return (values.isPresent()) ? number(values.get(), tier) : tier.capacity();
	}

	private static long number(List<String> values, CompiledLimits tier) {
		if (values.isEmpty()) {
			return 1;
		}
		String value = (values.size() == 1) ? values.get(0) : REPEATED;
		if (value.isEmpty()) {
			return 1;
		}
		return (isNumber(value)) ? Math.max(1, Long.parseLong(value)) : tier.capacity();
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
