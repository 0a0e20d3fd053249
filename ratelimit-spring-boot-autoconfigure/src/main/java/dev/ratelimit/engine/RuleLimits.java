package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.RegionMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.JointFamilies;
import org.jspecify.annotations.Nullable;

/**
 * All limits of a rule, ready for decisions. Immutable.
 *
 * @param own the limits of clients without a plan
 * @param plans the limits of each plan
 * @param overrides the limits of some values of the key
 */
record RuleLimits(CompiledLimits own, Map<String, CompiledLimits> plans, LimitOverrides overrides) {

	RuleLimits {
		plans = Map.copyOf(plans);
	}

	static RuleLimits of(Rule rule, Policy policy, String prefix, RegionTerms regions) {
		// A plus sign avoids conflicts, because ids of rules cannot start with it.
		String scope = prefix + rule.numbers().bucket().map((name) -> "+" + name).orElse(rule.id());
		Map<String, CompiledLimits> plans = new HashMap<>();
		rule.numbers()
			.plans()
			.forEach((name, quota) -> plans.put(name, limits(policy, scope + "." + name, quota, rule, regions)));
		return new RuleLimits(limits(policy, scope, rule.numbers().quota(), rule, regions), plans,
				LimitOverrides.of(rule, (quota) -> limits(policy, scope, quota, rule, regions)));
	}

	private static CompiledLimits limits(Policy policy, String scope, LimitSet quota, Rule rule, RegionTerms regions) {
		boolean several = quota.limits().size() > 1;
		List<BucketFamily> families = new ArrayList<>();
		for (Limit written : quota.limits()) {
			Limit limit = (rule.regions() == RegionMode.SPLIT) ? regions.share(written) : written;
			String name = (several) ? policy.ruleId() + "-" + limit.window() : policy.ruleId();
			Algorithm algorithm = Algorithms.of(limit);
			Policy.Unit unit = (algorithm.unit() != Policy.Unit.REQUESTS) ? algorithm.unit() : policy.unit();
			BucketFamily family = new BucketFamily(new Policy(name, policy.ruleId(), limit, unit, policy.shadow()),
					algorithm, scope)
				.in(regions.store(quota.store()));
			families.add((rule.regions() == RegionMode.SHARED) ? family.reported() : family);
		}
		return CompiledLimits.of(quota, JointFamilies.join(families), rule.numbers().reserve());
	}

	/**
	 * Return these limits as the replacement of the former limits of the same rule. The
	 * current usage is kept.
	 * @param before the former limits
	 * @param change the time of the replacement
	 * @return the limits
	 */
	RuleLimits replacing(RuleLimits before, Activation change) {
		Map<String, CompiledLimits> following = new HashMap<>();
		this.plans.forEach((name, limits) -> {
			CompiledLimits former = before.plans.get(name);
			following.put(name, (former != null) ? limits.replacing(former, change) : limits);
		});
		CompiledLimits next = this.own.replacing(before.own, change);
		return new RuleLimits(next, following, this.overrides.replacing(before.overrides, before.own, next, change));
	}

	/**
	 * Return the same buckets for a rule that only counts.
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
		// Fast path for most rules, because a switch of all rules calls this method for
		// each of them.
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
	 * @return its own limits, if there are any; otherwise those of the rule
	 */
	CompiledLimits of(String subject) {
		return this.overrides.find(subject, this.own);
	}

	/**
	 * Return all limits that may have counted a subject.
	 * @param subject the subject, in canonical form
	 * @return the limits of the rule, of all its plans, and of the subject
	 */
	Stream<CompiledLimits> allOf(String subject) {
		return Stream.of(List.of(this.own), this.plans.values(), List.of(of(subject)))
			.flatMap(Collection::stream)
			.distinct();
	}

	/**
	 * The limits that a rule has for some values of one part of its key. Their buckets
	 * have the scope of the rule, so that they take over its usage. Immutable.
	 *
	 * @param index the index of the part
	 * @param byPart the limits, by that part of a subject
	 * @param former the limits of the rule for values whose override was removed, which
	 * take over the usage of the override
	 */
	record LimitOverrides(int index, Map<String, CompiledLimits> byPart, Map<String, CompiledLimits> former) {

		private static final LimitOverrides NONE = new LimitOverrides(0, Map.of(), Map.of());

		private static final int MAX_FORMER = 1000;

		private static final char SEPARATOR = '|';

		LimitOverrides {
			byPart = Map.copyOf(byPart);
			former = Map.copyOf(former);
		}

		static LimitOverrides of(Rule rule, Function<LimitSet, CompiledLimits> compiler) {
			Map<String, LimitSet> written = rule.numbers().overrides();
			if (written.isEmpty()) {
				return NONE;
			}
			int index = rule.key().overridden().orElseThrow();
			KeyPart.Kind kind = rule.key().parts().get(index).kind();
			KeyPart.Kind found = (kind == KeyPart.Kind.CALLER) ? KeyPart.Kind.USER : kind;
			Map<String, CompiledLimits> byPart = new HashMap<>();
			boolean joined = rule.key().parts().size() > 1;
			Map<String, String> values = new HashMap<>();
			written.forEach((value, limits) -> {
				String part = Subjects.part(found, (found == KeyPart.Kind.FORM) ? FormNames.canonical(value) : value);
				String same = values.put(part, value);
				if (same != null) {
					throw new InvalidRuleException(rule.location() + ".overrides", value,
							"the key does not distinguish it from '" + same + "'", "Remove one of them.");
				}
				CompiledLimits compiled = compiler.apply(limits);
				byPart.put(part, compiled);
				if (joined) {
					// If other parts are long, the subject contains the shortened part.
					byPart.put(Subjects.shortened(part), compiled);
				}
			});
			return new LimitOverrides(index, byPart, Map.of());
		}

		/**
		 * Return the limits of a subject. Allocates no objects unless the key has several
		 * parts.
		 * @param subject the subject, in canonical form
		 * @return its own limits; null if there are none
		 */
		@Nullable CompiledLimits find(String subject) {
			return (this.byPart.isEmpty()) ? null : this.byPart.get(part(subject));
		}

		/**
		 * The limits of a subject without a plan.
		 * @param subject the subject, in canonical form
		 * @param own the limits of the rule
		 * @return its limits
		 */
		CompiledLimits find(String subject, CompiledLimits own) {
			if (isEmpty()) {
				return own;
			}
			String part = part(subject);
			CompiledLimits found = this.byPart.get(part);
			return (found != null || this.former.isEmpty()) ? Objects.requireNonNullElse(found, own)
					: this.former.getOrDefault(part, own);
		}

		boolean isEmpty() {
			return this.byPart.isEmpty() && this.former.isEmpty();
		}

		private String part(String subject) {
			int start = 0;
			for (int i = 0; i < this.index; i++) {
				start = subject.indexOf(SEPARATOR, start) + 1;
				if (start == 0) {
					return "";
				}
			}
			int end = subject.indexOf(SEPARATOR, start);
			return subject.substring(start, (end < 0) ? subject.length() : end);
		}

		/**
		 * Return these overrides as the replacement of the former overrides of the same
		 * rule. A value whose override was removed has the limits of the rule, and keeps
		 * its usage.
		 * @param before the former overrides
		 * @param ownBefore the former limits of the rule
		 * @param own the new limits of the rule
		 * @param change the time of the replacement
		 * @return the overrides
		 */
		LimitOverrides replacing(LimitOverrides before, CompiledLimits ownBefore, CompiledLimits own,
				Activation change) {
			Map<String, CompiledLimits> following = new HashMap<>();
			this.byPart.forEach((part, limits) -> following.put(part, limits
				.replacing(before.byPart.getOrDefault(part, before.former.getOrDefault(part, ownBefore)), change)));
			Map<String, CompiledLimits> gone = new HashMap<>();
			Stream.of(before.byPart, before.former)
				.flatMap((all) -> all.entrySet().stream())
				.filter((one) -> !following.containsKey(one.getKey()))
				.limit(MAX_FORMER)
				.forEach((one) -> gone.put(one.getKey(), own.replacing(one.getValue(), change)));
			return new LimitOverrides((this.byPart.isEmpty()) ? before.index : this.index, following, gone);
		}

		LimitOverrides map(UnaryOperator<CompiledLimits> change) {
			return new LimitOverrides(this.index, map(this.byPart, change), map(this.former, change));
		}

		private static Map<String, CompiledLimits> map(Map<String, CompiledLimits> limits,
				UnaryOperator<CompiledLimits> change) {
			Map<String, CompiledLimits> changed = new HashMap<>(limits);
			changed.replaceAll((part, one) -> change.apply(one));
			return changed;
		}

		Stream<CompiledLimits> all() {
			return Stream.of(this.byPart, this.former).flatMap((all) -> all.values().stream());
		}

	}

}
