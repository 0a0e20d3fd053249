package dev.ratelimit.rule;

import java.util.Map;
import java.util.Set;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.RuleOptions.Option;

/**
 * The requirements for a rule of GraphQL operations. An operation is evaluated before its
 * execution, and shares its HTTP request and response with other operations.
 *
 * @param fields the root fields of the rule
 * @param checks names the invalid rule
 */
record GraphQlRequirements(GraphQlFields fields, Checks checks) {

	private static final String NO_STATUS = "the status of a response with GraphQL errors does not depend on them";

	private static final String NO_OTHER = "a rule of GraphQL operations applies to nothing else";

	private static final String NOT_HELD = "operations are not held";

	private static final Map<Option<?>, String> WITHOUT_EFFECT = Map.ofEntries(Map.entry(RuleOptions.TARPIT, NOT_HELD),
			Map.entry(RuleOptions.WAIT, NOT_HELD), Map.entry(RuleOptions.HOLD, NOT_HELD),
			Map.entry(RuleOptions.MAX_HOLD, NOT_HELD),
			Map.entry(RuleOptions.IDEMPOTENCY, "an idempotency key belongs to a request of HTTP"),
			Map.entry(RuleOptions.REFUND, NO_STATUS), Map.entry(RuleOptions.STATUS, NO_STATUS),
			Map.entry(RuleOptions.RESERVE, "only requests have a level"),
			Map.entry(RuleOptions.PHASE, "operations are always evaluated after authentication"));

	/** The defaults of all rules that also apply to operations. */
	private static final Set<Option<?>> DEFAULTS = Set.of(RuleOptions.FAILURE, RuleOptions.MODE,
			RuleOptions.CONSISTENCY, RuleOptions.ON_MISSING_KEY, RuleOptions.ALLOW, RuleOptions.DENY,
			RuleOptions.BYPASS_AUTHORITIES);

	private static final Set<KeyPart.Kind> KEYS = Set.of(KeyPart.Kind.CALLER, KeyPart.Kind.USER, KeyPart.Kind.IP,
			KeyPart.Kind.GLOBAL, KeyPart.Kind.HEADER, KeyPart.Kind.CLAIM, KeyPart.Kind.BEAN);

	/**
	 * Check a rule as written.
	 * @param written the rule as written, without defaults
	 * @param defaults the defaults of all rules
	 * @return the rule with the defaults that apply to operations
	 * @throws InvalidRuleException if a written option would have no effect
	 */
	RuleDefinition completed(RuleDefinition written, RuleDefinition defaults) {
		require(written.match().equals(Rule.Match.NONE), ".paths", written.match().paths(), NO_OTHER,
				"Write another rule for them.");
		written.options()
			.find(RuleOptions.DESCRIPTOR)
			.ifPresent((descriptor) -> require(false, ".descriptor", descriptor, NO_OTHER,
					"Write another rule for calls of Envoy."));
		WITHOUT_EFFECT.forEach((option, reason) -> written.options()
			.find(option)
			.ifPresent((value) -> require(false, "." + option, value, reason, "Remove the property.")));
		written.options()
			.find(RuleOptions.ON_EXCESS)
			.ifPresent((policy) -> require(policy != ExcessPolicy.TARPIT, ".on-excess", policy, NOT_HELD,
					"Set 'on-excess' to 'reject' or 'degrade'."));
		written.options()
			.find(RuleOptions.BAN)
			.flatMap(BanTerms::statuses)
			.ifPresent(
					(statuses) -> require(false, ".ban.strikes", statuses, NO_STATUS, "Set 'strikes' to 'rejected'."));
		return written.over(new RuleDefinition(Rule.Match.NONE, defaults.key(), defaults.quota(), defaults.plans(),
				defaults.options().only(DEFAULTS)));
	}

	/**
	 * Check the key, cost, and limits of a rule.
	 * @param rule the rule
	 * @return the rule
	 * @throws InvalidRuleException if operations do not support the key or cost, or if a
	 * limit would delay operations
	 */
	Rule countable(Rule rule) {
		rule.key()
			.parts()
			.forEach((part) -> require(KEYS.contains(part.kind()), ".key", part,
					"an operation has no such property, or its client chooses it freely",
					"Use 'caller', 'user', 'ip', 'global', 'header:X', 'claim:x', or 'bean:x'."));
		Cost.Kind cost = rule.numbers().cost().kind();
		require(cost == Cost.Kind.FIXED || cost == Cost.Kind.GRAPHQL, ".cost", rule.numbers().cost(),
				"the cost of an operation is that of its fields",
				"Set 'graphql', or a number for each root field that matches.");
		rule.numbers()
			.all()
			.forEach((limit) -> require(!limit.concurrent() && !Algorithms.of(limit).holdsRequests(), ".algorithm",
					limit.algorithm(), NOT_HELD, "Use another algorithm, or a rule with the path of GraphQL."));
		return rule;
	}

	private void require(boolean condition, String part, Object value, String reason, String action) {
		this.checks.require(condition, part, value, reason, action);
	}

}
