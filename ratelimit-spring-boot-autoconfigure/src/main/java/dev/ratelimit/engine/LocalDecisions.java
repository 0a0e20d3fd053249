package dev.ratelimit.engine;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on one rule with one limit that the store allows on the spot: the most common
 * ones, of which nothing is made but the decision.
 */
final class LocalDecisions {

	private final @Nullable LocalLimitStore store;

	private final ReservationTerms exact;

	private final ReservationTerms estimated;

	LocalDecisions(LimitStore store) {
		this.store = (store instanceof LocalLimitStore local) ? local : null;
		this.exact = new ReservationTerms(store, false);
		this.estimated = new ReservationTerms(store, true);
	}

	/**
	 * Decide on a rule, if the request is allowed and nobody else must be asked.
	 * @param compiled the rule
	 * @param tier the rule's numbers for this caller
	 * @param subject whose bucket, in canonical form
	 * @param cost what is asked for
	 * @return the decision, or null if nothing was charged, and the store must be asked
	 */
	@Nullable Decision decide(CompiledRule compiled, CompiledLimits tier, String subject, long cost) {
		if (this.store == null || cost <= 0 || tier.families().size() != 1) {
			return null;
		}
		Rule rule = compiled.rule();
		BucketFamily family = tier.families().get(0);
		if (rule.reaction().mode() != RuleMode.ENFORCE || family.policy().concurrent()) {
			return null;
		}
		LocalCharge charge = this.store.chargeLocally(family, subject, cost, compiled.terms(),
				(rule.numbers().cost().estimated()) ? this.estimated : this.exact);
		return (charge != null) ? new Decision(true, Reason.WITHIN_LIMITS, Source.LOCAL, charge, charge) : null;
	}

}
