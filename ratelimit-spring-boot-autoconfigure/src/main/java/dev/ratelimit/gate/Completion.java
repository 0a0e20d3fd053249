package dev.ratelimit.gate;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.engine.SlotReservation;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.Rule;

/**
 * Internal: what is left to do when a request that was admitted in one phase ends.
 * Thread-safe; doing it again changes nothing.
 *
 * @param reservation what was charged in this phase
 * @param refunding the rules that may give their charge back
 * @param holding the rules whose slots are held while the request is under way
 * @param counting is told the status that is sent, for what is counted by it
 */
public record Completion(Reservation reservation, List<Rule> refunding, List<Rule> holding,
		IntConsumer counting) implements Ending {

	private static final IntConsumer NOTHING = (status) -> {
	};

	/** Nothing is left to do. */
	public static final Completion NONE = new Completion(Reservation.NONE, List.of(), List.of(), NOTHING);

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
		List<Rule> holding = uses.stream()
			.filter((use) -> use.tier().concurrent())
			.map((use) -> use.rule().rule())
			.toList();
		return new Completion(decision.reservation(), refunding, holding, NOTHING);
	}

	static Completion counting(Decision decision, List<Strikes.Strike> strikes, SanctionKeeper keeper) {
		// Nearly all requests meet no rule that bans: nothing is allocated for them.
		boolean counts = !strikes.isEmpty() && decision.allowed()
				&& strikes.stream().anyMatch((strike) -> strike.terms().statuses().isPresent());
		return (counts) ? new Completion(Reservation.NONE, List.of(), List.of(),
				(status) -> Strikes.sent(strikes, status, keeper)) : NONE;
	}

	@Override
	public boolean pending() {
		return !this.holding.isEmpty() || !this.refunding.isEmpty() || this.counting != NOTHING;
	}

	@Override
	public void free(int status) {
		if (!this.holding.isEmpty()) {
			this.reservation.release();
		}
	}

	boolean holdsConnections() {
		return this.holding.stream().anyMatch(Completion::holdsConnections);
	}

	/**
	 * Free what is held by requests, and not by connections.
	 */
	void freeRequest() {
		for (Rule rule : this.holding) {
			if (!holdsConnections(rule)) {
				this.reservation.release(rule.id());
			}
		}
	}

	/**
	 * Take over the slots that connections hold.
	 * @param releases gets what releases them
	 */
	void handOver(Consumer<Runnable> releases) {
		for (Rule rule : this.holding) {
			if (holdsConnections(rule)) {
				releases.accept(SlotReservation.handOver(this.reservation, rule.id()));
			}
		}
	}

	/**
	 * How long slots may be held at the longest.
	 * @param connections whether by connections, or by requests
	 * @param sofar a time that is not exceeded anyway
	 * @return the shortest of these times
	 */
	Duration longest(boolean connections, Duration sofar) {
		Duration longest = sofar;
		for (int i = 0; i < this.holding.size(); i++) {
			Rule rule = this.holding.get(i);
			Duration own = rule.reaction().holding().longest();
			longest = (holdsConnections(rule) == connections && own.compareTo(longest) < 0) ? own : longest;
		}
		return longest;
	}

	private static boolean holdsConnections(Rule rule) {
		return rule.reaction().holding().by() == Holder.CONNECTION;
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
