package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.ratelimit.Limit;

/**
 * Makes rules of definitions, and rejects those that can never work.
 */
final class RuleFactory {

	private static final Pattern PLAN = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	private static final int TOO_MANY_REQUESTS = 429;

	private static final String NO_SLOTS = "the rule does not limit concurrent requests";

	private static final String SET_CONCURRENCY = "Use an algorithm that limits concurrent requests, or remove it.";

	private final RuleDefinition defaults;

	private final Consumer<String> warnings;

	/**
	 * A factory with defaults that gives no warnings.
	 * @param defaults what rules inherit
	 */
	RuleFactory(RuleDefinition defaults) {
		this(defaults, (warning) -> {
		});
	}

	/**
	 * A factory with defaults.
	 * @param defaults what rules inherit
	 * @param warnings receives what works and is hardly meant, in words
	 */
	RuleFactory(RuleDefinition defaults, Consumer<String> warnings) {
		this.defaults = defaults;
		this.warnings = warnings;
	}

	/**
	 * Make a rule.
	 * @param id the rule's id
	 * @param origin where it was written
	 * @param location the property or method to name when something is wrong
	 * @param written the definition, without defaults
	 * @return the rule
	 * @throws InvalidRuleException if it can never work
	 */
	Rule rule(String id, Origin origin, String location, RuleDefinition written) {
		Checks checks = new Checks(location, this.warnings);
		checks.require(!id.startsWith("-"), "", id, Rule.ID_FORM, "Rename the rule.");
		return rule(id, origin, checks, written.over(this.defaults));
	}

	static Rule rule(String id, Origin origin, Checks checks, RuleDefinition definition) {
		Rule.requireId(id, checks);
		MethodNames.check(checks, ".methods", definition.match().methods());
		RuleOptions options = definition.options();
		Reaction reaction = checks.placed(() -> Reaction.of(options));
		warnOfOwnStatuses(reaction, checks);
		RuleNumbers numbers = numbers(definition, checks);
		requireSlots(options, numbers, checks);
		if (numbers.reserves()) {
			new ReserveChecks(numbers, checks).check(reaction, definition.match());
		}
		RuleKey key = RuleKey.of(definition.key(), options.find(RuleOptions.ON_MISSING_KEY), checks);
		boolean locked = options.find(RuleOptions.LOCKED).orElse(false);
		return checks
			.placed(() -> new Rule(id, origin, definition.match(), key, numbers, reaction, Access.of(options), locked));
	}

	// Only what was charged can be refunded, and a rejected request was not.
	private static void warnOfOwnStatuses(Reaction reaction, Checks checks) {
		Refund refund = reaction.refund();
		int rejection = reaction.status().orElse(TOO_MANY_REQUESTS);
		checks.warnIf(is(rejection, refund.condition()) || is(rejection, refund.condition().negate()), ".refund",
				refund.text(),
				"requests that this rule rejects are not charged, so this only applies to responses of the application"
						+ " with the status " + rejection);
	}

	private static boolean is(int status, IntPredicate statuses) {
		return Arrays.equals(IntStream.range(100, 600).filter(statuses).toArray(), new int[] { status });
	}

	private static void requireSlots(RuleOptions options, RuleNumbers numbers, Checks checks) {
		boolean concurrent = numbers.all().anyMatch(Limit::concurrent);
		options.find(RuleOptions.HOLD)
			.ifPresent((by) -> checks.require(concurrent, ".hold", EnumNames.of(by), NO_SLOTS, SET_CONCURRENCY));
		options.find(RuleOptions.MAX_HOLD)
			.ifPresent((time) -> checks.require(concurrent, ".max-hold", time.toString(), NO_SLOTS, SET_CONCURRENCY));
	}

	private static RuleNumbers numbers(RuleDefinition definition, Checks checks) {
		RuleOptions options = definition.options();
		Cost cost = options.find(RuleOptions.COST)
			.map((text) -> checks.tried(".cost", text, "Correct the cost.", () -> Cost.parse(text)))
			.orElse(Cost.ONE);
		LimitSetFactory quotas = new LimitSetFactory(cost, checks);
		LimitSet own = quotas.quota("", definition.quota());
		Map<String, LimitSet> plans = plans(definition, quotas);
		Map<String, LimitSet> overrides = new OverrideFactory(quotas).overrides(definition, own);
		return checks.placed(() -> RuleNumbers.of(own, plans, overrides, cost, options));
	}

	private static Map<String, LimitSet> plans(RuleDefinition definition, LimitSetFactory quotas) {
		Map<String, LimitSet> plans = new TreeMap<>();
		definition.plans().forEach((name, numbers) -> {
			quotas.checks()
				.require(PLAN.matcher(name).matches(), ".plans", name,
						"a plan name must have 1 to 64 letters, digits, dashes, and underscores", "Rename the plan.");
			plans.put(name, quotas.quota(".plans." + name, numbers.over(definition.quota().withoutNumbers())));
		});
		return plans;
	}

}
