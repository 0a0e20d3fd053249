package dev.ratelimit.rule;

import java.util.List;
import java.util.OptionalInt;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * Internal: what a rule does with a request, beside counting it.
 *
 * @param mode whether the rule rejects
 * @param failure what answers while the store is unavailable
 * @param phase when the rule is decided
 * @param status the status of a rejection; empty for that of the situation
 * @param idempotency whether a retry with the same idempotency key is free
 * @param refund whose charges are given back when they are completed
 * @param replaces ids of rules that do not apply where this one does
 * @param ramp the share of subjects that the rule rejects if its mode is to enforce
 * @param excess what happens to requests that exceed the limits
 * @param holding how long slots are held
 */
public record Reaction(RuleMode mode, FailurePolicy failure, Phase phase, OptionalInt status, boolean idempotency,
		Refund refund, List<String> replaces, Ramp ramp, Excess excess, Holding holding) {

	public Reaction {
		replaces = List.copyOf(replaces);
		Checks.UNPLACED.require(!idempotency || failure != FailurePolicy.CLOSED, ".idempotency", "true",
				"'idempotency' cannot be combined with 'failure: closed'",
				"Remove 'idempotency', or set 'failure: open'.");
		status.ifPresent((code) -> Checks.UNPLACED.require(code >= 400 && code <= 599, ".status",
				Integer.toString(code), "it must be between 400 and 599", "Set such a status, or remove it."));
		Checks.UNPLACED.require(ramp.isFull() || replaces.isEmpty(), ".enforce", ramp.toString(),
				"a client that is not enforced would be limited neither by this rule nor by the replaced rules",
				"Remove 'enforce' or 'replaces'.");
		excess.check(failure, replaces);
	}

	Reaction in(RuleMode other) {
		return in(other, this.ramp);
	}

	Reaction in(RuleMode other, Ramp share) {
		return new Reaction(other, this.failure, this.phase, this.status, this.idempotency, this.refund, this.replaces,
				share, this.excess, this.holding);
	}

	static Reaction of(RuleOptions written) {
		return new Reaction(written.find(RuleOptions.MODE).orElse(RuleMode.ENFORCE),
				written.find(RuleOptions.FAILURE).orElse(FailurePolicy.OPEN),
				written.find(RuleOptions.PHASE).orElse(Phase.AUTO),
				written.find(RuleOptions.STATUS).map(OptionalInt::of).orElse(OptionalInt.empty()),
				written.find(RuleOptions.IDEMPOTENCY).orElse(false),
				written.find(RuleOptions.REFUND).orElse(Refund.NEVER),
				written.find(RuleOptions.REPLACES).orElse(List.of()),
				written.find(RuleOptions.ENFORCE).orElse(Ramp.FULL), Excess.of(written), Holding.of(written));
	}

}
