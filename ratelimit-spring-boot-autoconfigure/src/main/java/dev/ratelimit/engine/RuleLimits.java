package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointFamilies;

/**
 * All limits of a rule, ready for decisions. Immutable.
 *
 * @param own the limits of clients without a plan of their own
 * @param plans the limits of each plan
 * @param overrides the limits of some values of the key
 */
record RuleLimits(CompiledLimits own, Map<String, CompiledLimits> plans, LimitOverrides overrides) {

	RuleLimits {
		plans = Map.copyOf(plans);
	}

	static RuleLimits of(Rule rule, Policy policy, String prefix) {
		// No rule's id has a plus sign in front.
		String scope = prefix + rule.numbers().bucket().map((name) -> "+" + name).orElse(rule.id());
		Map<String, CompiledLimits> plans = new HashMap<>();
		rule.numbers()
			.plans()
			.forEach((name, quota) -> plans.put(name, limits(policy, scope + "." + name, quota, rule)));
		return new RuleLimits(limits(policy, scope, rule.numbers().quota(), rule), plans,
				LimitOverrides.of(rule, (quota) -> limits(policy, scope, quota, rule)));
	}

	private static CompiledLimits limits(Policy policy, String scope, LimitSet quota, Rule rule) {
		boolean several = quota.limits().size() > 1;
		List<BucketFamily> families = new ArrayList<>();
		for (Limit limit : quota.limits()) {
			String name = (several) ? policy.ruleId() + "-" + limit.window() : policy.ruleId();
			Algorithm algorithm = Algorithms.of(limit);
			Policy.Unit unit = (algorithm.unit() != Policy.Unit.REQUESTS) ? algorithm.unit() : policy.unit();
			families.add(new BucketFamily(new Policy(name, policy.ruleId(), limit, unit, policy.shadow()), algorithm,
					scope));
		}
		return CompiledLimits.of(quota, JointFamilies.join(families), rule.numbers().reserve());
	}

	/**
	 * These limits in the place of those of the same rule before: what is used stays
	 * used.
	 * @param before the limits before
	 * @param change when these take their place
	 * @return the limits
	 */
	RuleLimits inPlaceOf(RuleLimits before, Activation change) {
		Map<String, CompiledLimits> following = new HashMap<>();
		this.plans.forEach((name, limits) -> {
			CompiledLimits former = before.plans.get(name);
			following.put(name, (former != null) ? limits.inPlaceOf(former, change) : limits);
		});
		CompiledLimits next = this.own.inPlaceOf(before.own, change);
		return new RuleLimits(next, following, this.overrides.inPlaceOf(before.overrides, before.own, next, change));
	}

	/**
	 * The same buckets, of a rule that only counts.
	 * @return the limits
	 */
	RuleLimits watching() {
		return map(CompiledLimits::watching);
	}

	private RuleLimits map(UnaryOperator<CompiledLimits> change) {
		Map<String, CompiledLimits> changed = new HashMap<>(this.plans);
		changed.replaceAll((name, limits) -> change.apply(limits));
		return new RuleLimits(change.apply(this.own), changed, this.overrides.map(change));
	}

	/**
	 * The buckets of each limit, of the rule and of all its plans, for each level.
	 * @return all families
	 */
	List<BucketFamily> families() {
		// Most rules have no others, and a switch of all rules asks each of them.
		if (this.plans.isEmpty() && this.overrides.isEmpty() && this.own.levels().isEmpty()) {
			return this.own.families();
		}
		return all().flatMap((limits) -> Stream.concat(Stream.of(limits), limits.levels().stream()))
			.flatMap((limits) -> limits.families().stream())
			.distinct()
			.toList();
	}

	Stream<CompiledLimits> all() {
		return Stream.of(Stream.of(this.own), this.plans.values().stream(), this.overrides.all())
			.flatMap((limits) -> limits);
	}

	/**
	 * The limits of a client without a plan.
	 * @param subject the client, in canonical form
	 * @return those of its own, if there are such, else those of the rule
	 */
	CompiledLimits of(String subject) {
		return this.overrides.find(subject, this.own);
	}

	/**
	 * All that may have counted a subject.
	 * @param subject the subject, in canonical form
	 * @return the limits of the rule, of all its plans, and of the subject
	 */
	Stream<CompiledLimits> allOf(String subject) {
		return Stream.of(List.of(this.own), this.plans.values(), List.of(of(subject)))
			.flatMap(Collection::stream)
			.distinct();
	}

}
