package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;

/**
 * Definitions in which only what a test is about is written.
 */
final class Definitions {

	private static final OptionalLong NONE = OptionalLong.empty();

	private Definitions() {
	}

	static RuleDefinition limits(String... limits) {
		return limits(Arrays.stream(limits).map(LimitDefinition::of).toArray(LimitDefinition[]::new));
	}

	static RuleDefinition limits(LimitDefinition... limits) {
		return of(List.of(), List.of(limits), NONE, NONE, Optional.empty(), OptionalInt.empty(), Optional.empty());
	}

	static RuleDefinition burst(long burst, LimitDefinition... limits) {
		return of(List.of(), List.of(limits), OptionalLong.of(burst), NONE, Optional.empty(), OptionalInt.empty(),
				Optional.empty());
	}

	static RuleDefinition cost(long cost, String... limits) {
		return of(List.of(), List.of(), NONE, OptionalLong.of(cost), Optional.empty(), OptionalInt.empty(),
				Optional.empty())
			.over(limits(limits));
	}

	static RuleDefinition failure(FailurePolicy failure) {
		return of(List.of(), List.of(), NONE, NONE, Optional.of(failure), OptionalInt.empty(), Optional.empty());
	}

	static RuleDefinition status(int status) {
		return of(List.of(), List.of(LimitDefinition.of("1/s")), NONE, NONE, Optional.empty(), OptionalInt.of(status),
				Optional.empty());
	}

	static RuleDefinition key(String... key) {
		return of(List.of(key), List.of(LimitDefinition.of("1/s")), NONE, NONE, Optional.empty(), OptionalInt.empty(),
				Optional.empty());
	}

	static RuleDefinition closedAndIdempotent() {
		return of(List.of(), List.of(LimitDefinition.of("1/s")), NONE, NONE, Optional.of(FailurePolicy.CLOSED),
				OptionalInt.empty(), Optional.of(true));
	}

	static RuleDefinition plan(String name, String... limits) {
		QuotaDefinition numbers = limits(limits).quota();
		return new RuleDefinition(Rule.Match.NONE, List.of(), limits("1/s").quota(), Map.of(name, numbers),
				RuleOptions.EMPTY, false);
	}

	static RuleDefinition options(RuleOptions options) {
		return new RuleDefinition(Rule.Match.NONE, List.of(), limits("1/s").quota(), Map.of(), options, false);
	}

	private static RuleDefinition of(List<String> key, List<LimitDefinition> limits, OptionalLong burst,
			OptionalLong cost, Optional<FailurePolicy> failure, OptionalInt status, Optional<Boolean> idempotency) {
		Optional<String> text = (cost.isPresent()) ? Optional.of(Long.toString(cost.getAsLong())) : Optional.empty();
		return new RuleDefinition(Rule.Match.NONE, key, new QuotaDefinition(limits, burst, Optional.empty()), Map.of(),
				new RuleOptions(text, failure, Optional.empty(), Optional.empty(), Optional.empty(), status,
						idempotency, Optional.empty(), List.of(), Optional.empty()),
				false);
	}

}
