package dev.ratelimit.rule;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * Makes rules of definitions, and refuses those that can never work.
 *
 * @since 0.1.0
 */
public final class RuleFactory {

	private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	private static final Pattern PLAN = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	private static final int TOO_MANY_REQUESTS = 429;

	private final RuleDefinition defaults;

	private final Consumer<String> warnings;

	/**
	 * A factory with defaults that gives no warnings.
	 * @param defaults what rules inherit
	 */
	public RuleFactory(RuleDefinition defaults) {
		this(defaults, (warning) -> {
		});
	}

	/**
	 * A factory with defaults.
	 * @param defaults what rules inherit
	 * @param warnings receives what works and is hardly meant, in words
	 */
	public RuleFactory(RuleDefinition defaults, Consumer<String> warnings) {
		this.defaults = defaults;
		this.warnings = warnings;
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
		RuleOptions options = definition.options();
		Checks checks = new Checks(culprit, this.warnings);
		checks.require(ID.matcher(id).matches(), "", id,
				"an id is a lower-case letter followed by at most 63 lower-case letters, digits and dashes",
				"Rename the rule.");
		requireSense(options, checks);
		MethodNames.check(checks, ".methods", definition.match().methods());
		options.refund().ifPresent((refund) -> warnOfOwnStatuses(refund, options, checks));
		Cost cost = options.cost()
			.map((text) -> checks.tried(".cost", text, "Correct the cost.", () -> Cost.parse(text)))
			.orElse(Cost.ONE);
		QuotaFactory quotas = new QuotaFactory(cost, checks);
		return new Rule(id, origin, copy(definition.match()), key(definition, checks),
				quotas.quota("", definition.quota()), plans(definition, quotas), cost, failure(options),
				options.mode().orElse(RuleMode.ENFORCE), options.onMissingKey().orElse(MissingKey.SHARED),
				options.phase().orElse(Phase.AUTO), options.status(), options.idempotency().orElse(false),
				options.refund().orElse(Refund.NEVER), List.copyOf(options.replaces()), options.bucket(),
				options.consistency().orElse(Consistency.STRICT), options.access());
	}

	private static void requireSense(RuleOptions options, Checks checks) {
		checks.require(!options.idempotency().orElse(false) || failure(options) != FailurePolicy.CLOSED, ".idempotency",
				"true", "a rule that is closed on failure cannot let retries pass unseen",
				"Remove 'idempotency' or set 'failure: open'.");
		options.status()
			.ifPresent((status) -> checks.require(status >= 400 && status <= 599, ".status", Integer.toString(status),
					"a refusal must have a status from 400 to 599", "Choose such a status, or leave it out."));
		checks.require(
				options.replaces().isEmpty() || options.onMissingKey().orElse(MissingKey.SHARED) != MissingKey.SKIP,
				".replaces", options.replaces().toString(),
				"a request without the key would be limited neither by this rule nor by what it replaces",
				"Remove 'replaces', or set 'on-missing-key' to shared, ip or deny.");
		options.bucket()
			.ifPresent((name) -> checks.require(ID.matcher(name).matches(), ".bucket", name,
					"a bucket's name is a lower-case letter followed by at most 63 lower-case letters, digits and"
							+ " dashes",
					"Rename it."));
	}

	// Only what was charged can be refunded, and a rejected request was not.
	private static void warnOfOwnStatuses(Refund refund, RuleOptions options, Checks checks) {
		int rejection = options.status().orElse(TOO_MANY_REQUESTS);
		IntPredicate refunded = refund.condition();
		boolean only = IntStream.range(100, 600).filter(refunded).allMatch((status) -> status == rejection);
		boolean allBut = IntStream.range(100, 600).filter(refunded.negate()).allMatch((status) -> status == rejection);
		checks.warnIf(only || allBut, ".refund", refund.text(),
				"requests that this rule rejects are not charged, so this applies only to responses of the application"
						+ " with the status " + rejection);
	}

	private static Map<String, Quota> plans(RuleDefinition definition, QuotaFactory quotas) {
		Map<String, Quota> plans = new TreeMap<>();
		definition.plans().forEach((name, numbers) -> {
			quotas.checks()
				.require(PLAN.matcher(name).matches(), ".plans", name,
						"a plan's name has up to 64 letters, digits, dashes and underscores", "Rename the plan.");
			plans.put(name, quotas.quota(".plans." + name, numbers.over(algorithmOf(definition.quota()))));
		});
		return Collections.unmodifiableMap(plans);
	}

	// A plan has numbers of its own, and inherits how to count.
	private static QuotaDefinition algorithmOf(QuotaDefinition quota) {
		return new QuotaDefinition(List.of(), OptionalLong.empty(), quota.algorithm(), quota.options());
	}

	private static FailurePolicy failure(RuleOptions options) {
		return options.failure().orElse(FailurePolicy.OPEN);
	}

	private static Rule.Match copy(Rule.Match match) {
		return new Rule.Match(List.copyOf(match.paths()), List.copyOf(match.exceptPaths()),
				List.copyOf(match.methods()));
	}

	private static List<KeyPart> key(RuleDefinition definition, Checks checks) {
		List<String> texts = (definition.key().isEmpty()) ? List.of(KeyPart.Kind.CALLER.word()) : definition.key();
		return texts.stream()
			.map((text) -> checks.tried(".key", text, "Choose one of these keys.", () -> KeyPart.parse(text)))
			.toList();
	}

}
