package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Makes rules of definitions, and refuses those that can never work.
 *
 * @since 0.1.0
 */
public final class RuleFactory {

	private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	private final RuleDefinition defaults;

	/**
	 * A factory with defaults.
	 * @param defaults what rules inherit
	 */
	public RuleFactory(RuleDefinition defaults) {
		this.defaults = defaults;
	}

	/**
	 * Make a rule.
	 * @param id the rule's id
	 * @param origin where it was written
	 * @param culprit the property or method to name when something is wrong
	 * @param written the definition, without defaults
	 * @return the rule
	 * @throws InvalidRuleException if it can never work
	 */
	public Rule rule(String id, Origin origin, String culprit, RuleDefinition written) {
		RuleDefinition definition = written.over(this.defaults);
		Checks checks = new Checks(culprit);
		checks.require(ID.matcher(id).matches(), "", id,
				"an id is a lower-case letter followed by at most 63 lower-case letters, digits and dashes",
				"Rename the rule.");
		checks.require(!definition.idempotency().orElse(false) || failure(definition) != FailurePolicy.CLOSED,
				".idempotency", "true", "a rule that is closed on failure cannot let retries pass unseen",
				"Remove 'idempotency' or set 'failure: open'.");
		long cost = definition.cost().orElse(1);
		checks.require(cost >= 1, ".cost", Long.toString(cost), "a cost must be at least 1", "Raise the cost.");
		definition.status()
			.ifPresent((status) -> checks.require(status >= 400 && status <= 599, ".status", Integer.toString(status),
					"a refusal must have a status from 400 to 599", "Choose such a status, or leave it out."));
		return new Rule(id, origin, match(definition), key(definition, checks), limits(definition, cost, checks), cost,
				failure(definition), definition.mode().orElse(RuleMode.ENFORCE),
				definition.onMissingKey().orElse(MissingKey.SHARED), definition.phase().orElse(Phase.AUTO),
				definition.status(), definition.idempotency().orElse(false));
	}

	private static FailurePolicy failure(RuleDefinition definition) {
		return definition.failure().orElse(FailurePolicy.OPEN);
	}

	private static Rule.Match match(RuleDefinition definition) {
		return new Rule.Match(List.copyOf(definition.paths()), List.copyOf(definition.exceptPaths()),
				List.copyOf(definition.methods()));
	}

	private static List<KeyPart> key(RuleDefinition definition, Checks checks) {
		List<String> texts = (definition.key().isEmpty()) ? List.of(KeyPart.Kind.CALLER.word()) : definition.key();
		return texts.stream()
			.map((text) -> checks.tried(".key", text, "Choose one of these keys.", () -> KeyPart.parse(text)))
			.toList();
	}

	private static List<Limit> limits(RuleDefinition definition, long cost, Checks checks) {
		List<LimitDefinition> written = definition.limits();
		checks.require(!written.isEmpty(), "", "", "the rule has no limit", "Add one, such as 'limit: 100/min'.");
		checks.require(written.size() == 1 || definition.burst().isEmpty(), ".burst",
				definition.burst().isPresent() ? Long.toString(definition.burst().getAsLong()) : "",
				"with several limits it is not clear which one it belongs to",
				"Write the limits as objects with a burst each: 'limits: [{ limit: 100/min, burst: 150 }, ...]'.");
		List<Limit> limits = new ArrayList<>();
		Set<String> windows = new HashSet<>();
		for (LimitDefinition one : written) {
			Limit limit = limit(definition, one, cost, checks);
			checks.require(windows.add(limit.window()), ".limits", limit.toString(),
					"the rule has two limits per " + limit.window(), "Keep the smaller one.");
			limits.add(limit);
		}
		return List.copyOf(limits);
	}

	private static Limit limit(RuleDefinition definition, LimitDefinition one, long cost, Checks checks) {
		String algorithm = one.algorithm().or(definition::algorithm).orElse(Algorithms.DEFAULT);
		checks.require(Algorithms.find(algorithm).isPresent(), ".algorithm", algorithm,
				"there is no such algorithm; there is " + String.join(", ", Algorithms.ids()),
				"Choose one of these, or leave it out.");
		OptionalLong burst = (one.burst().isPresent()) ? one.burst() : definition.burst();
		LimitOptions options = one.options().over(definition.options());
		Limit limit = checks.tried(".limit", one.limit(), "Correct the limit.",
				() -> LimitText.parse(one.limit(), algorithm, burst, options));
		long capacity = checks
			.tried(".limit", limit + " with burst " + limit.burst(), "Change the limit or its burst.",
					() -> Algorithms.find(algorithm).orElseThrow().arithmetic(limit))
			.capacity();
		checks.require(cost <= capacity, ".cost", Long.toString(cost),
				"it is above the capacity of " + capacity + " (" + limit + "), so that every request would be refused",
				"Lower 'cost' or raise 'burst'.");
		return limit;
	}

	/**
	 * Names the culprit of what is wrong.
	 *
	 * @param culprit the property or method that holds the rule
	 */
	private record Checks(String culprit) {

		void require(boolean condition, String part, String value, String reason, String action) {
			if (!condition) {
				throw new InvalidRuleException(this.culprit + part, value, reason, action);
			}
		}

		<T> T tried(String part, String value, String action, Supplier<T> attempt) {
			try {
				return attempt.get();
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRuleException(this.culprit + part, value, String.valueOf(ex.getMessage()), action);
			}
		}

	}

}
