package dev.ratelimit.engine;

import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Policy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.Ramp;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.Stance;

/**
 * A rule in each of its modes, so that a change of the mode requires no compilation. It
 * has two variants of the limits on the same buckets: enforcing, and only counting.
 * Immutable.
 */
final class RuleForms {

	private final RuleLimits enforcing;

	private final RuleLimits watching;

	private final Ramp ramp;

	private final long seed;

	private final CompiledRule[] byMode = new CompiledRule[RuleMode.values().length];

	private final CompiledRule marking;

	private final RegionTerms regions;

	private RuleForms(Rule rule, RuleLimits enforcing, RuleLimits watching, RegionTerms regions) {
		this.regions = regions;
		this.enforcing = enforcing;
		this.watching = watching;
		this.ramp = rule.reaction().ramp();
		this.seed = Ramp.seed(rule.id());
		ChargeTerms marked = new ChargeTerms(rule.reaction().failure(), Stance.MARKING, rule.reaction().idempotency(),
				rule.numbers().consistency());
		this.marking = new CompiledRule(this, rule.in(RuleMode.ENFORCE), policy(rule, true), marked, watching);
		for (RuleMode mode : RuleMode.values()) {
			this.byMode[mode.ordinal()] = compiled(rule.in(mode));
		}
	}

	private CompiledRule compiled(Rule rule) {
		boolean shadow = rule.reaction().mode() == RuleMode.SHADOW;
		ChargeTerms terms = new ChargeTerms(rule.reaction().failure(), stance(rule), rule.reaction().idempotency(),
				rule.numbers().consistency());
		return new CompiledRule(this, rule, policy(rule, shadow), terms, (shadow) ? this.watching : this.enforcing);
	}

	private static Stance stance(Rule rule) {
		if (rule.reaction().mode() == RuleMode.SHADOW) {
			return Stance.WATCHING;
		}
		return (rule.reaction().excess().rejects()) ? Stance.ENFORCED : Stance.DEGRADING;
	}

	/**
	 * The forms of a rule with its own buckets.
	 * @param rule the rule
	 * @param prefix the prefix of the scope of its buckets
	 * @param regions the meaning of its limits in the region
	 * @return the forms
	 */
	static RuleForms inScope(Rule rule, String prefix, RegionTerms regions) {
		return of(rule, RuleLimits.of(rule, policy(rule, false), prefix, regions), regions);
	}

	private static RuleForms of(Rule rule, RuleLimits limits, RegionTerms regions) {
		return new RuleForms(rule, limits, limits.watching(), regions);
	}

	private static Policy policy(Rule rule, boolean shadow) {
		return new Policy(rule.id(), rule.id(), Optional.empty(), OptionalLong.empty(), unit(rule), shadow);
	}

	private static Policy.Unit unit(Rule rule) {
		return (rule.numbers().cost().kind() == Cost.Kind.CONTENT_LENGTH) ? Policy.Unit.CONTENT_BYTES
				: Policy.Unit.REQUESTS;
	}

	/**
	 * The rule after a change.
	 * @param rule the changed rule, of the same id
	 * @param change the time at which it replaces this rule
	 * @return the forms of the changed rule, with the same limits if only the mode
	 * differs
	 */
	RuleForms changedTo(Rule rule, Activation change) {
		Rule before = this.byMode[rule.reaction().mode().ordinal()].rule();
		if (before.equals(rule)) {
			return this;
		}
		return (before.differsInModeAtMost(rule)) ? new RuleForms(rule, this.enforcing, this.watching, this.regions)
				: of(rule, RuleLimits.of(rule, policy(rule, false), "", this.regions).replacing(this.enforcing, change),
						this.regions);
	}

	// The rule for marked subjects.
	CompiledRule marking() {
		return this.marking;
	}

	CompiledRule in(RuleMode mode) {
		return this.byMode[mode.ordinal()];
	}

	/**
	 * Return the rule in the mode for a subject.
	 * @param active the rule in its active mode
	 * @param subject the subject, in canonical form
	 * @return the rule; in shadow mode if the subject does not belong to the enforced
	 * share
	 */
	CompiledRule of(CompiledRule active, String subject) {
		if (this.ramp.isFull() || active != in(RuleMode.ENFORCE) || this.ramp.enforces(this.seed, subject)) {
			return active;
		}
		return in(RuleMode.SHADOW);
	}

	boolean isRamped() {
		return !this.ramp.isFull();
	}

	boolean haveTheLimitsOf(RuleForms other) {
		return this.enforcing == other.enforcing;
	}

}
