package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;

/**
 * A rule made ready for decisions. Immutable.
 *
 * @param rule the rule
 * @param families the buckets of each of its limits
 * @since 0.1.0
 */
public record CompiledRule(Rule rule, List<BucketFamily> families) {

	static CompiledRule of(Rule rule) {
		boolean several = rule.limits().size() > 1;
		List<BucketFamily> families = new ArrayList<>();
		for (Limit limit : rule.limits()) {
			String name = (several) ? rule.id() + "-" + limit.window() : rule.id();
			Algorithm algorithm = Algorithms.find(limit.algorithm()).orElseThrow();
			Policy policy = new Policy(name, rule.id(), limit, windowSeconds(limit, algorithm.unit()), algorithm.unit(),
					rule.mode() == RuleMode.SHADOW);
			families.add(new BucketFamily(policy, algorithm));
		}
		return new CompiledRule(rule, List.copyOf(families));
	}

	/**
	 * Add what this rule charges.
	 * @param subject whose buckets, canonical
	 * @param cost the cost
	 * @param charges where to add
	 */
	void charge(String subject, long cost, List<Charge> charges) {
		boolean shadow = this.rule.mode() == RuleMode.SHADOW;
		for (BucketFamily family : this.families) {
			charges.add(new Charge(new Bucket(family, subject), cost, this.rule.failure(), shadow,
					this.rule.idempotency()));
		}
	}

	/**
	 * The buckets of a subject.
	 * @param subject whose, canonical
	 * @return one bucket per limit
	 */
	List<Bucket> buckets(String subject) {
		return this.families.stream().map((family) -> new Bucket(family, subject)).toList();
	}

	// Capacity over window never promises more than the true rate, so the window is the
	// time that the whole capacity takes to fill, rounded up.
	private static OptionalLong windowSeconds(Limit limit, Policy.Unit unit) {
		double fillMillis = limit.burst() * (double) limit.period().toMillis() / limit.quantity();
		boolean none = fillMillis < 1000 || unit == Policy.Unit.CONCURRENT_REQUESTS;
		return (none) ? OptionalLong.empty() : OptionalLong.of((long) Math.ceil(fillMillis / 1000));
	}

}
