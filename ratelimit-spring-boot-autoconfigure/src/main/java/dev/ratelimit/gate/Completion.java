package dev.ratelimit.gate;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.rule.Rule;

/**
 * Internal: what is left to do when a request that was admitted in one phase ends.
 * Thread-safe; doing it again changes nothing.
 *
 * @param reservation what was charged in this phase
 * @param refunding the rules that may give their charge back
 * @param holding whether something is held while the request is under way
 */
public record Completion(Reservation reservation, List<Rule> refunding, boolean holding) implements Ending {

	/** Nothing is left to do. */
	public static final Completion NONE = new Completion(Reservation.NONE, List.of(), false);

	static Completion of(Decision decision, List<AppliedRule> uses) {
		if (decision.reservation() == Reservation.NONE) {
			return NONE;
		}
		boolean pending = false;
		for (AppliedRule use : uses) {
			pending |= use.rule().refunds() || use.tier().concurrent();
		}
		return (pending) ? ofPending(decision, uses) : NONE;
	}

	private static Completion ofPending(Decision decision, List<AppliedRule> uses) {
		List<Rule> refunding = uses.stream()
			.map(AppliedRule::rule)
			.filter(CompiledRule::refunds)
			.map(CompiledRule::rule)
			.toList();
		return new Completion(decision.reservation(), refunding,
				uses.stream().anyMatch((use) -> use.tier().concurrent()));
	}

	boolean pending() {
		return this.holding || !this.refunding.isEmpty();
	}

	@Override
	public void free(int status) {
		if (this.holding) {
			this.reservation.release();
		}
	}

	@Override
	public void settle(int status) {
		for (Rule rule : this.refunding) {
			if (rule.reaction().refund().condition().test(status)) {
				this.reservation.settle(rule.id(), 0);
			}
		}
	}

}
