package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;

/**
 * Internal: the charges of the rules that apply to a request.
 */
public final class Charges {

	private Charges() {
	}

	public static List<Charge> of(List<AppliedRule> applied) {
		List<Charge> charges = new ArrayList<>(applied.size() + 2);
		for (AppliedRule one : applied) {
			add(one, charges);
		}
		return charges;
	}

	private static void add(AppliedRule applied, List<Charge> charges) {
		CompiledRule rule = applied.rule();
		for (BucketFamily family : applied.limits().families()) {
			Charge charge = rule.terms().charge(new Bucket(family, applied.subject()), applied.cost());
			if (rule.rule().numbers().bucket().isEmpty()
					|| !isShared(charge, charges, rule.rule().graphQl().isPresent())) {
				charges.add(charge);
			}
		}
	}

	// If several rules of one bucket apply to a request, the bucket is charged once, at
	// the highest cost. Rules of one operation apply to different fields, so their costs
	// are added.
	private static boolean isShared(Charge charge, List<Charge> charges, boolean ofOperation) {
		for (int i = 0; i < charges.size(); i++) {
			Charge other = charges.get(i);
			if (other.bucket().equals(charge.bucket())) {
				Charge joined = (prevails(charge, other)) ? joined(charge, other) : joined(other, charge);
				boolean added = ofOperation && charge.stance() == other.stance();
				charges.set(i, (added) ? joined.plus(Math.min(charge.cost(), other.cost())) : joined);
				return true;
			}
		}
		return false;
	}

	// All rules must allow the request, so the stricter policy applies. Rules in shadow
	// mode have no influence on other rules.
	private static Charge joined(Charge charge, Charge other) {
		return (charge.stance() == other.stance())
				? charge.with(stricter(charge.failure(), other.failure()), charge.replayable() && other.replayable())
				: charge;
	}

	private static FailurePolicy stricter(FailurePolicy one, FailurePolicy other) {
		if (one == FailurePolicy.CLOSED || other == FailurePolicy.CLOSED) {
			return FailurePolicy.CLOSED;
		}
		return (one == FailurePolicy.LOCAL) ? one : other;
	}

	// A rule in shadow mode never rejects, so its charge cannot replace that of a rule
	// that rejects.
	private static boolean prevails(Charge charge, Charge other) {
		return (charge.stance() != other.stance()) ? charge.stance().prevails(other.stance())
				: charge.cost() > other.cost();
	}

}
