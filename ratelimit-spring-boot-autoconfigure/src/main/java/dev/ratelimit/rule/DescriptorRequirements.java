package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.RuleOptions.Option;

/**
 * The requirements for a rule of descriptors. Envoy sends neither the request nor the
 * response, so many options of other rules would have no effect.
 *
 * @param descriptor the descriptor of the rule
 * @param checks names the invalid rule
 */
record DescriptorRequirements(Descriptor descriptor, Checks checks) {

	/** The defaults of all rules that also apply to descriptors. */
	private static final Set<Option<?>> DEFAULTS = Set.of(RuleOptions.FAILURE, RuleOptions.MODE,
			RuleOptions.CONSISTENCY);

	private static final String NO_REQUEST = "Envoy sends descriptors, and not the request";

	private static final String NO_RESPONSE = "Envoy handles the response, and does not report it";

	private static final Map<Option<?>, String> WITHOUT_EFFECT = Map.ofEntries(
			Map.entry(RuleOptions.ON_EXCESS, "Envoy allows or rejects the request"),
			Map.entry(RuleOptions.TARPIT, "Envoy allows or rejects the request"),
			Map.entry(RuleOptions.WAIT, "Envoy waits a few milliseconds for a decision"),
			Map.entry(RuleOptions.BAN, "a descriptor names no client"), Map.entry(RuleOptions.IDEMPOTENCY, NO_REQUEST),
			Map.entry(RuleOptions.REFUND, NO_RESPONSE), Map.entry(RuleOptions.STATUS, NO_RESPONSE),
			Map.entry(RuleOptions.BUCKET, "each descriptor has its own"),
			Map.entry(RuleOptions.RESERVE, "only requests have a level"),
			Map.entry(RuleOptions.PHASE, "no authentication divides these calls"),
			Map.entry(RuleOptions.ON_MISSING_KEY, "a descriptor has all its entries"),
			Map.entry(RuleOptions.HOLD, NO_RESPONSE), Map.entry(RuleOptions.MAX_HOLD, NO_RESPONSE),
			Map.entry(RuleOptions.ALLOW, NO_REQUEST), Map.entry(RuleOptions.DENY, NO_REQUEST),
			Map.entry(RuleOptions.BYPASS_AUTHORITIES, NO_REQUEST));

	/**
	 * Check a rule, and add the inherited values, except the default key, which applies
	 * to requests.
	 * @param written the rule as written, without defaults
	 * @param defaults the defaults of all rules
	 * @return the rule with a key
	 * @throws InvalidRuleException if a written option would have no effect
	 */
	RuleDefinition completed(RuleDefinition written, RuleDefinition defaults) {
		require(written.match().equals(Rule.Match.NONE), ".paths", written.match().paths(),
				"a rule of descriptors applies to no other call", "Write another rule for them.");
		require(written.plans().isEmpty(), ".plans", written.plans().keySet(), NO_REQUEST,
				"Use an entry for the plan, such as 'plan=free'.");
		WITHOUT_EFFECT.forEach((option, reason) -> written.options()
			.find(option)
			.ifPresent((value) -> require(false, "." + option, value, reason, "Remove the property.")));
		written.options()
			.find(RuleOptions.COST)
			.ifPresent((cost) -> require(cost.matches("[0-9_]+"), ".cost", cost, NO_REQUEST,
					"Set a number; Envoy multiplies it by 'hits_addend'."));
		List<String> key = (written.key().isEmpty()) ? this.descriptor.key() : written.key();
		RuleKey.of(key, Optional.empty(), this.checks).parts().forEach(this::requireEntry);
		return written.with(key)
			.over(new RuleDefinition(Rule.Match.NONE, List.of(), defaults.quota(), Map.of(),
					defaults.options().only(DEFAULTS)));
	}

	/**
	 * Check the limits of a rule.
	 * @param rule the rule
	 * @return the rule
	 * @throws InvalidRuleException if Envoy would have to hold requests, or report their
	 * end
	 */
	Rule countable(Rule rule) {
		rule.numbers()
			.all()
			.forEach((limit) -> require(!limit.concurrent() && !Algorithms.of(limit).holdsRequests(), ".algorithm",
					limit.algorithm(), "Envoy does not report the end of a request, and holds none",
					"Use another algorithm."));
		return rule;
	}

	private void requireEntry(KeyPart part) {
		boolean known = part.kind() == KeyPart.Kind.GLOBAL
				|| (part.kind() == KeyPart.Kind.ENTRY && this.descriptor.has(part.argument()));
		require(known, ".key", part, "the descriptor has no such entry",
				"Use 'global', or 'entry:' and a key of the descriptor, such as 'entry:"
						+ this.descriptor.entries().get(0).key() + "'.");
	}

	private void require(boolean condition, String part, Object value, String reason, String action) {
		this.checks.require(condition, part, value, reason, action);
	}

}
