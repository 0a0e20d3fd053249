package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.ratelimit.Consistency;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.Limit;

/**
 * Creates rules from definitions, and rejects invalid ones.
 */
final class RuleFactory {

	/** The beginning of a query, which a pattern does not match. */
	private static final Pattern QUERY = Pattern.compile("\\?\\w+=");

	private static final Pattern ENCODED = Pattern.compile("%\\p{XDigit}{2}");

	private static final Pattern PLAN = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	private static final int TOO_MANY_REQUESTS = 429;

	private static final String NO_SLOTS = "the rule does not limit concurrent requests";

	private static final String SET_CONCURRENCY = "Use an algorithm that limits concurrent requests, or remove it.";

	private final RuleDefinition defaults;

	private final Consumer<String> warnings;

	/**
	 * Create a factory with defaults.
	 * @param defaults the defaults of all rules
	 * @param warnings receives warnings of rules that work but are probably not intended
	 */
	RuleFactory(RuleDefinition defaults, Consumer<String> warnings) {
		this.defaults = defaults;
		this.warnings = warnings;
	}

	/**
	 * Create a rule.
	 * @param id the rule's id
	 * @param origin the layers that define it
	 * @param location the property or method that messages name
	 * @param written the definition, without defaults
	 * @return the rule
	 * @throws InvalidRuleException if the rule is invalid
	 */
	Rule rule(String id, Origin origin, String location, RuleDefinition written) {
		Checks checks = new Checks(location, this.warnings);
		checks.require(!id.startsWith("-"), "", id, Rule.ID_FORM, "Rename the rule.");
		return rule(id, origin, checks, written, this.defaults);
	}

	/**
	 * Create a rule from a definition.
	 * @param id the rule's id
	 * @param origin the layers that define it
	 * @param checks names the invalid property
	 * @param written the definition
	 * @param defaults the defaults of all rules
	 * @return the rule
	 */
	static Rule rule(String id, Origin origin, Checks checks, RuleDefinition written, RuleDefinition defaults) {
		if (written.quota().store().filter(LimitSet.LOCAL_STORE::equals).isPresent()) {
			written.options()
				.find(RuleOptions.FAILURE)
				.ifPresent((failure) -> checks.warnIf(true, ".failure", EnumNames.of(failure),
						"the store 'local' never fails, so this has no effect"));
		}
		Optional<GraphQlFields> fields = written.options().find(RuleOptions.GRAPHQL);
		if (fields.isPresent()) {
			GraphQlRequirements requirements = new GraphQlRequirements(fields.get(), checks);
			return requirements.countable(rule(id, origin, checks, requirements.completed(written, defaults)));
		}
		Optional<Descriptor> descriptor = written.options().find(RuleOptions.DESCRIPTOR);
		if (descriptor.isEmpty()) {
			return rule(id, origin, checks, written.over(defaults));
		}
		DescriptorRequirements requirements = new DescriptorRequirements(descriptor.get(), checks);
		return requirements.countable(rule(id, origin, checks, requirements.completed(written, defaults)));
	}

	private static Rule rule(String id, Origin origin, Checks checks, RuleDefinition definition) {
		Rule.requireId(id, checks);
		MethodNames.check(checks, ".methods", definition.match().methods());
		RuleOptions options = definition.options();
		Reaction reaction = checks.placed(() -> reaction(options));
		warnOfRefunds(reaction, checks);
		warnOfStrikes(reaction, checks);
		RuleNumbers numbers = numbers(definition, checks);
		requireSlots(options, numbers, checks);
		if (numbers.reserves()) {
			new ReserveChecks(numbers, checks).check(reaction, definition.match());
		}
		RuleKey key = RuleKey.of(definition.key(), options.find(RuleOptions.ON_MISSING_KEY), checks);
		warnOfMissingForms(key, definition.match(), checks);
		warnOfKinds(key, numbers, checks);
		warnOfPatterns(".paths", definition.match().paths(), checks);
		warnOfPatterns(".except-paths", definition.match().exceptPaths(), checks);
		return checks.placed(() -> new Rule(id, origin, definition.match(), key, numbers, reaction, access(options),
				options.others()));
	}

	static Reaction reaction(RuleOptions options) {
		ExcessPolicy policy = options.get(RuleOptions.ON_EXCESS);
		Optional<Tarpit> tarpit = options.find(RuleOptions.TARPIT);
		Reaction.Excess excess = new Reaction.Excess(policy,
				(policy == ExcessPolicy.TARPIT) ? tarpit.or(() -> Optional.of(Tarpit.DEFAULT)) : tarpit,
				options.find(RuleOptions.BAN));
		Holder holder = options.get(RuleOptions.HOLD);
		Reaction.Holding holding = new Reaction.Holding(holder,
				options.find(RuleOptions.MAX_HOLD).orElse(holder.maxHold()));
		return new Reaction(options.get(RuleOptions.MODE), options.get(RuleOptions.FAILURE),
				options.get(RuleOptions.PHASE),
				options.find(RuleOptions.STATUS).map(OptionalInt::of).orElse(OptionalInt.empty()),
				options.get(RuleOptions.IDEMPOTENCY), options.get(RuleOptions.REFUND),
				options.get(RuleOptions.REPLACES), options.get(RuleOptions.ENFORCE), excess, holding,
				options.find(RuleOptions.WAIT));
	}

	private static Access access(RuleOptions options) {
		return new Access(options.get(RuleOptions.ALLOW), options.get(RuleOptions.DENY),
				options.get(RuleOptions.BYPASS_AUTHORITIES));
	}

	// A rejected request is not charged, so it cannot be refunded.
	private static void warnOfRefunds(Reaction reaction, Checks checks) {
		Refund refund = reaction.refund();
		if (refund.equals(Refund.NEVER)) {
			return;
		}
		checks.warnIf(statuses().allMatch(refund.condition()), ".refund", refund.text(),
				"the charge of each request is refunded, so this limits only requests in progress");
		int rejection = reaction.status().orElse(TOO_MANY_REQUESTS);
		checks.warnIf(is(rejection, refund.condition()) || is(rejection, refund.condition().negate()), ".refund",
				refund.text(),
				"requests that this rule rejects are not charged, so this only applies to responses of the application"
						+ " with the status " + rejection);
	}

	private static void warnOfStrikes(Reaction reaction, Checks checks) {
		int rejection = reaction.status().orElse(TOO_MANY_REQUESTS);
		reaction.excess()
			.ban()
			.flatMap(BanTerms::statuses)
			.filter((statuses) -> is(rejection, statuses::contains))
			.ifPresent((statuses) -> checks.warnIf(true, ".ban.strikes", statuses.toString(),
					"requests that this rule rejects are the strike 'rejected', so this only applies to responses of the"
							+ " application with the status " + rejection));
	}

	private static void warnOfMissingForms(RuleKey key, Rule.Match match, Checks checks) {
		boolean form = key.parts().stream().anyMatch((part) -> part.kind() == KeyPart.Kind.FORM);
		boolean post = match.methods().isEmpty() || match.methods().stream().anyMatch("POST"::equalsIgnoreCase);
		checks.warnIf(form && !post, ".methods", match.methods().toString(),
				"only POST requests have a form, so all requests of the rule lack the key " + key.parts());
	}

	// Subjects have the kind in front of a value, and overrides do not.
	private static void warnOfKinds(RuleKey key, RuleNumbers numbers, Checks checks) {
		key.overridden().ifPresent((index) -> {
			String prefix = key.parts().get(index).kind().word() + ":";
			numbers.overrides()
				.keySet()
				.stream()
				.filter((value) -> value.startsWith(prefix))
				.forEach((value) -> checks.warnIf(true, ".overrides", value,
						"an override names the value of the key, such as '" + value.substring(prefix.length())
								+ "', without its kind"));
		});
	}

	private static void warnOfPatterns(String part, List<String> patterns, Checks checks) {
		for (String pattern : patterns) {
			checks.warnIf(QUERY.matcher(pattern).find(), part, pattern,
					"a pattern matches the path without the query, and '?' stands for one character");
			checks.warnIf(ENCODED.matcher(pattern).find(), part, pattern,
					"a pattern matches the decoded path, so write the characters themselves");
			checks.warnIf(pattern.contains(";"), part, pattern,
					"a pattern matches the path without parameters such as ';a=b'");
		}
	}

	private static boolean is(int status, IntPredicate statuses) {
		return Arrays.equals(statuses().filter(statuses).toArray(), new int[] { status });
	}

	private static IntStream statuses() {
		return IntStream.range(100, 600);
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
		Map<String, LimitSet> plans = plans(definition, quotas);
		// Clients without a plan get the smallest limits of the plans, so that they are
		// neither unlimited nor blocked.
		LimitSet own = Optional.of(definition.quota())
			.filter(LimitSetDefinition::hasNoNumbers)
			.flatMap((none) -> LimitSet.smallest(plans.values()))
			.orElseGet(() -> quotas.quota("", definition.quota()));
		Map<String, LimitSet> overrides = new OverrideFactory(quotas).overrides(definition, own);
		RuleNumbers numbers = checks
			.placed(() -> new RuleNumbers(own, plans, overrides, cost, options.find(RuleOptions.BUCKET),
					options.get(RuleOptions.CONSISTENCY), options.get(RuleOptions.RESERVE)));
		requireStrictIfLocal(numbers, checks);
		return numbers;
	}

	private static void requireStrictIfLocal(RuleNumbers numbers, Checks checks) {
		numbers.sets()
			.forEach((part, set) -> checks.require(!set.isLocal() || numbers.consistency() == Consistency.STRICT,
					part + ".store", set.store(), "leases save calls of Redis, and this store has none",
					"Set 'consistency: strict', or another store."));
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

	/**
	 * Creates the overrides for some values of a rule's key, and rejects invalid ones.
	 *
	 * @param limits creates numbers
	 */
	private record OverrideFactory(LimitSetFactory limits) {

		/**
		 * The maximum number of overrides, because each is compiled and shown with the
		 * rule.
		 */
		private static final int MAX_OVERRIDES = 1000;

		/** The maximum length of a value; subjects contain hashes of longer values. */
		private static final int MAX_CHARACTERS = 128;

		Map<String, LimitSet> overrides(RuleDefinition definition, LimitSet own) {
			Map<String, LimitSetDefinition> written = definition.overrides();
			Checks checks = this.limits.checks();
			checks.require(written.size() <= MAX_OVERRIDES, ".overrides", written.size() + " entries",
					"a rule can have at most " + MAX_OVERRIDES + " overrides", "Remove some, or use 'plans'.");
			Map<String, LimitSet> overrides = new TreeMap<>();
			written.forEach((value, numbers) -> {
				checks.require(!value.isBlank() && value.length() <= MAX_CHARACTERS, ".overrides", value,
						"the value of a key must have 1 to " + MAX_CHARACTERS + " characters", "Correct the value.");
				String part = ".overrides[" + value + "]";
				LimitSet made = this.limits.quota(part, numbers.over(definition.quota().withoutNumbers()));
				checks.require(!isConcurrent(made) || isConcurrent(own), part, made.limits().toString(),
						"only a rule that limits concurrent requests can override it", "Use another algorithm.");
				overrides.put(value, made);
			});
			return overrides;
		}

		private static boolean isConcurrent(LimitSet set) {
			return set.limits().stream().anyMatch((limit) -> limit.concurrent());
		}

	}

	/**
	 * Rejects reserves that leave no slot to a level, or that no request could use.
	 *
	 * @param numbers the cost and limits, with a reserve
	 * @param checks names the invalid property
	 */
	private record ReserveChecks(RuleNumbers numbers, Checks checks) {

		private static final String PROPERTY = ".reserve";

		void check(Reaction reaction, Rule.Match match) {
			require(this.numbers.all().anyMatch(Limit::concurrent), "only slots of concurrent requests can be reserved",
					"Use an algorithm that limits concurrent requests, or remove 'reserve'.");
			this.numbers.all().filter(Limit::concurrent).forEach(this::check);
			require(!match.programmatic(), "only requests have a level, and code calls this rule",
					"Remove 'reserve', or let the rule have 'paths'.");
			require(reaction.waiting().isEmpty(), "important requests would wait in the same queue as the others",
					"Remove 'wait' or 'reserve'.");
		}

		private void check(Limit limit) {
			long left = this.numbers.reserve().capacity(Level.LOW, limit.quantity());
			require(left >= this.numbers.cost().units(),
					"of " + limit.quantity() + " slots, " + Math.max(0, left)
							+ " are left to the lowest level, so all its requests would be rejected",
					"Decrease the reserves so that together they are below the limit, or increase the limit.");
		}

		private void require(boolean condition, String reason, String action) {
			this.checks.require(condition, PROPERTY, this.numbers.reserve().toString(), reason, action);
		}

	}

}
