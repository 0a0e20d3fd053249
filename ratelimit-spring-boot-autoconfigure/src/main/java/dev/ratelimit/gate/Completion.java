package dev.ratelimit.gate;

import java.util.List;
import java.util.function.IntConsumer;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.rule.Rule;

/**
 * Internal: what is left to do when a request that was admitted in one phase ends.
 * Thread-safe; doing it again changes nothing.
 *
 * @param reservation what was charged in this phase
 * @param refunding the rules that may give their charge back
 * @param holding whether something is held while the request is under way
 * @param counting is told the status that is sent, for what is counted by it
 */
public record Completion(Reservation reservation, List<Rule> refunding, boolean holding,
		IntConsumer counting) implements Ending {

	private static final IntConsumer NOTHING = (status) -> {
	};

	/** Nothing is left to do. */
	public static final Completion NONE = new Completion(Reservation.NONE, List.of(), false, NOTHING);

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
				uses.stream().anyMatch((use) -> use.tier().concurrent()), NOTHING);
	}

	static Completion counting(Decision decision, List<Strikes.Strike> strikes, SanctionKeeper keeper) {
		boolean counts = decision.allowed()
				&& strikes.stream().anyMatch((strike) -> strike.terms().statuses().isPresent());
		return (counts)
				? new Completion(Reservation.NONE, List.of(), false, (status) -> Strikes.sent(strikes, status, keeper))
				: NONE;
	}

	@Override
	public boolean pending() {
		return this.holding || !this.refunding.isEmpty() || this.counting != NOTHING;
	}

	@Override
	public void free(int status) {
		if (this.holding) {
			this.reservation.release();
		}
	}

	@Override
	public void settle(int status) {
		this.counting.accept(status);
		for (Rule rule : this.refunding) {
			if (rule.reaction().refund().condition().test(status)) {
				this.reservation.settle(rule.id(), 0);
			}
		}
	}

}
