package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.JointFamilies;
import dev.ratelimit.store.ScriptUse;

/**
 * Internal: a rule made ready for decisions. Immutable.
 *
 * @param rule the rule
 * @param policy what is told of the rule where none of its limits was asked
 * @param terms what its charges have in common
 * @param own the numbers of callers without a plan of their own
 * @param plans the numbers of each plan
 */
public record CompiledRule(Rule rule, Policy policy, ChargeTerms terms, CompiledLimits own,
		Map<String, CompiledLimits> plans) {

	static CompiledRule of(Rule rule) {
		Policy policy = new Policy(rule.id(), rule.id(), Optional.empty(), OptionalLong.empty(), unit(rule),
				rule.reaction().mode() == RuleMode.SHADOW);
		// No rule's id has a plus sign in front.
		String scope = rule.numbers().bucket().map((name) -> "+" + name).orElse(rule.id());
		Map<String, CompiledLimits> plans = new HashMap<>();
		rule.numbers().plans().forEach((name, quota) -> plans.put(name, tier(policy, scope + "." + name, quota)));
		ChargeTerms terms = new ChargeTerms(rule.reaction().failure(), rule.reaction().mode() == RuleMode.SHADOW,
				rule.reaction().idempotency(), rule.numbers().consistency());
		return new CompiledRule(rule, policy, terms, tier(policy, scope, rule.numbers().quota()), Map.copyOf(plans));
	}

	// The rule in the place of one of the same id: what is used stays used.
	CompiledRule inPlaceOf(CompiledRule before, Activation change) {
		Map<String, CompiledLimits> following = new HashMap<>();
		this.plans.forEach((name, tier) -> following.put(name,
				before.plan(name).map((former) -> tier.inPlaceOf(former, change)).orElse(tier)));
		return new CompiledRule(this.rule, this.policy, this.terms, this.own.inPlaceOf(before.own, change),
				Map.copyOf(following));
	}

	private static CompiledLimits tier(Policy policy, String scope, LimitSet quota) {
		boolean several = quota.limits().size() > 1;
		List<BucketFamily> families = new ArrayList<>();
		for (Limit limit : quota.limits()) {
			String name = (several) ? policy.ruleId() + "-" + limit.window() : policy.ruleId();
			Algorithm algorithm = Algorithms.of(limit);
			Policy.Unit unit = (algorithm.unit() != Policy.Unit.REQUESTS) ? algorithm.unit() : policy.unit();
			families.add(new BucketFamily(new Policy(name, policy.ruleId(), limit, unit, policy.shadow()), algorithm,
					scope));
		}
		return CompiledLimits.of(quota, JointFamilies.join(families));
	}

	/**
	 * The buckets of each limit, of the rule and of all its plans.
	 * @return all families
	 */
	public List<BucketFamily> families() {
		return Stream.concat(Stream.of(this.own), this.plans.values().stream())
			.flatMap((tier) -> tier.families().stream())
			.toList();
	}

	/**
	 * Which scripts the rule needs, where the store runs scripts.
	 * @return one use for the rule's own limits and for those of each plan; empty if
	 * there are no limits
	 */
	public Set<ScriptUse> scripts() {
		boolean shadow = this.rule.reaction().mode() == RuleMode.SHADOW;
		boolean leased = this.rule.numbers().consistency() != Consistency.STRICT && !shadow;
		return Stream.concat(Stream.of(this.own), this.plans.values().stream())
			.filter((tier) -> !tier.families().isEmpty() && this.rule.reaction().mode() != RuleMode.OFF)
			.map((tier) -> tier.families().stream().map(BucketFamily::algorithm).toList())
			.map((algorithms) -> new ScriptUse(algorithms, leased, this.rule.reaction().idempotency(), shadow))
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Whether some requests get their charge back when they are completed.
	 * @return whether the completion of a request matters
	 */
	public boolean refunds() {
		return !this.rule.reaction().refund().equals(Refund.NEVER);
	}

	/**
	 * The numbers of callers of a plan.
	 * @param plan the plan
	 * @return the numbers; empty if the rule does not know the plan
	 */
	public Optional<CompiledLimits> plan(String plan) {
		return Optional.ofNullable(this.plans.get(plan));
	}

	/**
	 * The buckets of a subject, in all plans.
	 * @param subject whose, canonical
	 * @return one bucket per limit
	 */
	List<Bucket> buckets(String subject) {
		return families().stream().map((family) -> new Bucket(family, subject)).toList();
	}

	private static Policy.Unit unit(Rule rule) {
		return (rule.numbers().cost().kind() == Cost.Kind.CONTENT_LENGTH) ? Policy.Unit.CONTENT_BYTES
				: Policy.Unit.REQUESTS;
	}

}
