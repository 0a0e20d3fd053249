package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;

/**
 * Creates definitions that contain only the properties that a test needs.
 */
final class Definitions {

	private Definitions() {
	}

	static RuleDefinition limits(String... limits) {
		return limits(Arrays.stream(limits).map(LimitDefinition::of).toArray(LimitDefinition[]::new));
	}

	static RuleDefinition limits(LimitDefinition... limits) {
		return of(List.of(), OptionalLong.empty(), RuleOptions.EMPTY, limits);
	}

	static RuleDefinition burst(long burst, LimitDefinition... limits) {
		return of(List.of(), OptionalLong.of(burst), RuleOptions.EMPTY, limits);
	}

	static RuleDefinition cost(long cost, String... limits) {
		return of(List.of(), OptionalLong.empty(), RuleOptions.EMPTY.with(RuleOptions.COST, Long.toString(cost)))
			.over(limits(limits));
	}

	static RuleDefinition failure(FailurePolicy failure) {
		return of(List.of(), OptionalLong.empty(), RuleOptions.EMPTY.with(RuleOptions.FAILURE, failure));
	}

	static RuleDefinition status(int status) {
		return options(RuleOptions.EMPTY.with(RuleOptions.STATUS, status));
	}

	static RuleDefinition key(String... key) {
		return of(List.of(key), OptionalLong.empty(), RuleOptions.EMPTY, LimitDefinition.of("1/s"));
	}

	static RuleDefinition closedAndIdempotent() {
		return options(
				RuleOptions.EMPTY.with(RuleOptions.FAILURE, FailurePolicy.CLOSED).with(RuleOptions.IDEMPOTENCY, true));
	}

	static RuleDefinition plan(String name, String... limits) {
		LimitSetDefinition numbers = limits(limits).quota();
		return new RuleDefinition(Rule.Match.NONE, List.of(), limits("1/s").quota(), Map.of(name, numbers),
				RuleOptions.EMPTY);
	}

	static RuleDefinition options(RuleOptions options) {
		return of(List.of(), OptionalLong.empty(), options, LimitDefinition.of("1/s"));
	}

	private static RuleDefinition of(List<String> key, OptionalLong burst, RuleOptions options,
			LimitDefinition... limits) {
		return new RuleDefinition(Rule.Match.NONE, key,
				new LimitSetDefinition(List.of(limits), burst, Optional.empty()), Map.of(), options);
	}

	/**
	 * Return a factory whose warnings are ignored.
	 */
	static RuleFactory factory(RuleDefinition defaults) {
		return new RuleFactory(defaults, (warning) -> {
		});
	}

}
