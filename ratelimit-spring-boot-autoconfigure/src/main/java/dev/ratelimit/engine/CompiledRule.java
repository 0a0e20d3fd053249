package dev.ratelimit.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.Consistency;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.ScriptUse;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a rule compiled for decisions, in one of its modes. Immutable.
 */
public final class CompiledRule {

	private final RuleForms forms;

	private final Rule rule;

	private final Policy policy;

	private final ChargeTerms terms;

	private final RuleLimits limits;

	// Properties that each decision reads, computed once.

	private final String id;

	private final boolean enforces;

	private final List<String> replaces;

	private final boolean ramped;

	private final boolean counts;

	private final boolean waits;

	private final boolean refunds;

	private final boolean estimated;

	private final boolean freesRetries;

	private final boolean planned;

	/**
	 * The limits of all subjects without a plan; null if some subjects have their own
	 * limits.
	 */
	private final @Nullable CompiledLimits common;

	CompiledRule(RuleForms forms, Rule rule, Policy policy, ChargeTerms terms, RuleLimits limits) {
		this.forms = forms;
		this.rule = rule;
		this.policy = policy;
		this.terms = terms;
		this.limits = limits;
		this.id = rule.id();
		boolean enforcing = rule.reaction().mode() == RuleMode.ENFORCE;
		this.enforces = enforcing && terms.stance().takes();
		this.replaces = (enforcing) ? rule.reaction().replaces() : List.of();
		this.ramped = this.enforces && forms.isRamped();
		this.counts = rule.reaction().excess().ban().isPresent();
		this.waits = this.enforces && rule.reaction().waiting().isPresent();
		this.refunds = !rule.reaction().refund().equals(Refund.NEVER);
		this.estimated = rule.numbers().cost().estimated();
		this.freesRetries = terms.replayable();
		this.planned = !limits.plans().isEmpty();
		this.common = (limits.overrides().isEmpty()) ? limits.own() : null;
	}

	/**
	 * The rule's id.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Whether the rule rejects requests that exceed its limits.
	 * @return whether its mode is to enforce, and the client is not marked
	 */
	boolean enforces() {
		return this.enforces;
	}

	/**
	 * The rules that do not apply to a request to which this rule applies. A rule that
	 * does not enforce its limits must not disable a rule that does.
	 * @return their ids; empty unless the rule enforces
	 */
	public List<String> replaces() {
		return this.replaces;
	}

	/**
	 * Whether the cost of a request is an estimate until it is settled.
	 * @return whether charges are estimates
	 */
	boolean estimated() {
		return this.estimated;
	}

	/**
	 * Whether retries with the idempotency key of a request that was charged are free.
	 * @return whether charges are remembered
	 */
	public boolean freesRetries() {
		return this.freesRetries;
	}

	static CompiledRule of(Rule rule, RegionTerms regions) {
		return RuleForms.inScope(rule, "", regions).in(rule.reaction().mode());
	}

	/**
	 * Create a rule with separate buckets, which are not those of the active rule with
	 * the same id.
	 * @param rule the rule
	 * @param prefix the prefix of the scope of its buckets
	 * @param regions the meaning of its limits in the region
	 * @return the rule
	 */
	static CompiledRule inScope(Rule rule, String prefix, RegionTerms regions) {
		return RuleForms.inScope(rule, prefix, regions).in(rule.reaction().mode());
	}

	// Replaces this rule by a rule with the same id; the current usage is kept.
	CompiledRule changedTo(Rule next, Activation change) {
		return this.forms.changedTo(next, change).in(next.reaction().mode());
	}

	Rule in(RuleMode mode) {
		return this.forms.in(mode).rule();
	}

	/**
	 * Return the rule in the mode for a subject. If the rule enforces only a share of
	 * subjects, it only counts the others.
	 * @param subject the subject, in canonical form
	 * @return the rule in the mode for the subject
	 */
	public CompiledRule of(String subject) {
		return (this.ramped) ? this.forms.of(this, subject) : this;
	}

	/**
	 * Return the rule for marked subjects: it only counts them, and decisions show the
	 * mark.
	 * @return the rule
	 */
	CompiledRule marking() {
		return this.forms.marking();
	}

	/**
	 * Whether the rule bans or marks subjects.
	 * @return whether strikes count
	 */
	public boolean counts() {
		return this.counts;
	}

	/**
	 * Whether requests that exceed the limits wait.
	 * @return whether the rule enforces, and lets requests wait
	 */
	public boolean waits() {
		return this.waits;
	}

	long units() {
		return this.rule.units();
	}

	/**
	 * The rule, in the mode in which it is active.
	 * @return the rule
	 */
	public Rule rule() {
		return this.rule;
	}

	/**
	 * The verdict of the rule if none of its limits was charged.
	 * @return the policy
	 */
	public Policy policy() {
		return this.policy;
	}

	/**
	 * Return the terms that the rule's charges have in common.
	 * @return the terms
	 */
	ChargeTerms terms() {
		return this.terms;
	}

	/**
	 * The outcome of a request that exceeds a limit.
	 * @return the outcome
	 */
	public Outcome excess() {
		return this.terms.excess();
	}

	/**
	 * The limits of clients without a plan.
	 * @return the limits
	 */
	public CompiledLimits own() {
		return this.limits.own();
	}

	/**
	 * Return the limits of a client without a plan: its own limits, otherwise those of
	 * the rule.
	 * @param subject the client, in canonical form
	 * @return the limits
	 */
	public CompiledLimits limits(String subject) {
		return (this.common != null) ? this.common : this.limits.of(subject);
	}

	/**
	 * Return the limits of a client: its own limits, otherwise those of its plan,
	 * otherwise those of the rule.
	 * @param subject the client, in canonical form
	 * @param plan its plan; a plan that the rule does not define is ignored
	 * @return the limits
	 */
	public CompiledLimits limits(String subject, Optional<String> plan) {
		return (plan.isPresent() && limitsByPlan(subject)) ? plans().getOrDefault(plan.get(), own()) : limits(subject);
	}

	/**
	 * Whether the limits of a client depend on its plan.
	 * @param subject the client, in canonical form
	 * @return whether the rule has plans, and no override for the client
	 */
	public boolean limitsByPlan(String subject) {
		return this.planned && this.limits.overrides().find(subject) == null;
	}

	/**
	 * The limits of each plan.
	 * @return the limits by plan
	 */
	public Map<String, CompiledLimits> plans() {
		return this.limits.plans();
	}

	/**
	 * Whether another compiled rule is the same rule, possibly in another mode. Both
	 * match the same requests.
	 * @param other the other rule
	 * @return whether only the mode may differ
	 */
	public boolean differsInModeAtMost(CompiledRule other) {
		return this.forms.haveTheLimitsOf(other.forms);
	}

	/**
	 * The buckets of each limit, of the rule and of all its plans.
	 * @return all families
	 */
	public List<BucketFamily> families() {
		return this.limits.families();
	}

	/**
	 * Whether the rule, or one of its plans, limits concurrent requests.
	 * @return whether requests may hold slots
	 */
	public boolean holdsSlots() {
		return families().stream().anyMatch((family) -> family.policy().concurrent());
	}

	/**
	 * Return the scripts that the rule needs, if the store runs scripts.
	 * @return one use for the rule's own limits and for those of each plan; empty if
	 * there are no limits
	 */
	public Set<ScriptUse> scripts() {
		RuleMode mode = this.rule.reaction().mode();
		if (mode == RuleMode.OFF) {
			return Set.of();
		}
		boolean ramped = mode == RuleMode.ENFORCE && (this.forms.isRamped() || counts());
		return ((ramped) ? Stream.of(mode, RuleMode.SHADOW) : Stream.of(mode)).flatMap(this::scripts)
			.collect(Collectors.toUnmodifiableSet());
	}

	private Stream<ScriptUse> scripts(RuleMode mode) {
		boolean shadow = mode == RuleMode.SHADOW || !this.rule.reaction().excess().rejects();
		boolean leased = this.rule.numbers().consistency() != Consistency.STRICT && !shadow;
		return this.limits.all()
			.filter((limits) -> !limits.families().isEmpty())
			.map((limits) -> new ScriptUse(limits.families().stream().map(BucketFamily::algorithm).toList(), leased,
					this.rule.reaction().idempotency(), shadow, limits.families().get(0).store()));
	}

	/**
	 * Compare the effects of this rule and another one on a request that does not fit.
	 * @param other a rule of the same bucket
	 * @return positive if this rule prevails, 0 if the rules are equally strict
	 */
	public int compareStrictness(CompiledRule other) {
		return other.terms.stance().compareTo(this.terms.stance());
	}

	/**
	 * Whether some requests are refunded at their completion.
	 * @return whether the completion of a request matters
	 */
	public boolean refunds() {
		return this.refunds;
	}

	/**
	 * The buckets of a subject in all plans, including those of former limits whose usage
	 * is not moved yet.
	 * @param subject the subject, in canonical form
	 * @return one bucket for each limit, former ones included
	 */
	List<Bucket> buckets(String subject) {
		return this.limits.allOf(subject)
			.flatMap((limits) -> limits.families().stream())
			.flatMap((family) -> Stream.concat(Stream.of(family), family.formers().stream().map(FormerLimit::family)))
			.map((family) -> new Bucket(family, subject))
			.distinct()
			.toList();
	}

	@Override
	public String toString() {
		return this.rule.toString();
	}

}
