package dev.ratelimit.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.SlotReservation;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.rule.Holder;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;

/**
 * Internal: the actions at the end of a request that was allowed in one phase.
 * Thread-safe and idempotent.
 *
 * @param reservation the charges of this phase
 * @param refunding the charges that may be refunded
 * @param holding the slots that are held during the request
 * @param counting receives the response status, for counts by status
 */
public record Completion(Reservation reservation, List<OneCharge> refunding, List<OneCharge> holding,
		IntConsumer counting) implements Ending {

	private static final IntConsumer NO_ACTION = (status) -> {
	};

	/** No actions. */
	public static final Completion NONE = new Completion(Reservation.NONE, List.of(), List.of(), NO_ACTION);

	static Completion of(Decision decision, List<AppliedRule> uses) {
		if (decision.reservation() == Reservation.NONE) {
			return NONE;
		}
		boolean pending = false;
		for (AppliedRule use : uses) {
			pending |= use.rule().refunds() || use.limits().concurrent();
		}
		return (pending) ? ofPending(decision, uses) : NONE;
	}

	private static Completion ofPending(Decision decision, List<AppliedRule> uses) {
		List<OneCharge> refunding = new ArrayList<>(uses.size());
		List<OneCharge> holding = new ArrayList<>(uses.size());
		for (int i = 0; i < uses.size(); i++) {
			if (uses.get(i).limits().concurrent()) {
				add(uses, i, holding);
			}
			if (uses.get(i).limits().refundable()) {
				add(uses, i, refunding);
			}
		}
		refunding.removeIf((charge) -> !charge.refunds());
		return new Completion(decision.reservation(), refunding, holding, NO_ACTION);
	}

	// Several rules of one bucket charge it once: the charge counts for all rules of the
	// strictest mode.
	private static void add(List<AppliedRule> uses, int index, List<OneCharge> charges) {
		AppliedRule use = uses.get(index);
		List<Rule> rules = new ArrayList<>(1);
		rules.add(use.rule().rule());
		for (int i = 0; i < uses.size(); i++) {
			AppliedRule other = uses.get(i);
			if (i == index || !sharesBucket(use, other)) {
				continue;
			}
			int stricter = other.rule().compareStrictness(use.rule());
			if (stricter > 0 || (stricter == 0 && i < index)) {
				return;
			}
			if (stricter == 0) {
				rules.add(other.rule().rule());
			}
		}
		charges.add(new OneCharge(rules));
	}

	private static boolean sharesBucket(AppliedRule one, AppliedRule other) {
		Optional<String> bucket = one.rule().rule().numbers().bucket();
		return bucket.isPresent() && bucket.equals(other.rule().rule().numbers().bucket())
				&& one.subject().equals(other.subject()) && !other.limits().families().isEmpty();
	}

	static Completion counting(Decision decision, Strikes strikes) {
		// Avoids an allocation for requests without rules that ban.
		return (decision.allowed() && strikes.countsStatus())
				? new Completion(Reservation.NONE, List.of(), List.of(), once(strikes::sent)) : NONE;
	}

	private static IntConsumer once(IntConsumer action) {
		AtomicBoolean done = new AtomicBoolean();
		return (status) -> {
			if (done.compareAndSet(false, true)) {
				action.accept(status);
			}
		};
	}

	@Override
	public boolean pending() {
		return !this.holding.isEmpty() || !this.refunding.isEmpty() || this.counting != NO_ACTION;
	}

	@Override
	public void free(int status) {
		if (!this.holding.isEmpty()) {
			this.reservation.release();
		}
	}

	boolean holdsConnections() {
		return this.holding.stream().anyMatch(OneCharge::isOfConnection);
	}

	/**
	 * Free the slots that are held by requests, not those held by connections.
	 */
	void freeRequest() {
		for (OneCharge charge : this.holding) {
			if (!charge.isOfConnection()) {
				charge.rules().forEach((rule) -> this.reservation.release(rule.id()));
			}
		}
	}

	/**
	 * Take over the slots that connections hold.
	 * @param releases receives the actions that release them
	 */
	void handOver(Consumer<Runnable> releases) {
		for (OneCharge charge : this.holding) {
			if (charge.isOfConnection()) {
				charge.rules()
					.forEach((rule) -> releases.accept(SlotReservation.handOver(this.reservation, rule.id())));
			}
		}
	}

	/**
	 * Return the maximum time that slots may be held.
	 * @param connections true for the slots of connections, false for those of requests
	 * @param upperBound the result if no rule has a shorter time
	 * @return the shortest of these times
	 */
	Duration maxHold(boolean connections, Duration upperBound) {
		Duration maxHold = upperBound;
		for (int i = 0; i < this.holding.size(); i++) {
			OneCharge charge = this.holding.get(i);
			Duration own = charge.maxHold();
			maxHold = (charge.isOfConnection() == connections && own.compareTo(maxHold) < 0) ? own : maxHold;
		}
		return maxHold;
	}

	@Override
	public void settle(int status) {
		this.counting.accept(status);
		Set<String> refunded = Set.of();
		for (OneCharge charge : this.refunding) {
			if (charge.isRefunded(status)) {
				refunded = (refunded.isEmpty()) ? new HashSet<>() : refunded;
				charge.addTo(refunded);
			}
		}
		if (!refunded.isEmpty()) {
			SlotReservation.refund(this.reservation, refunded);
		}
	}

	/**
	 * A charge, and its rules: one, or several of one bucket. A charge is refunded for a
	 * status if all rules refund it. A slot is held by the connection if at least one
	 * rule requires it.
	 *
	 * @param rules the rules; the charge was made under one of them
	 */
	record OneCharge(List<Rule> rules) {

		boolean refunds() {
			return this.rules.stream().noneMatch((rule) -> rule.reaction().refund().equals(Refund.NEVER));
		}

		void addTo(Set<String> ruleIds) {
			this.rules.forEach((rule) -> ruleIds.add(rule.id()));
		}

		boolean isRefunded(int status) {
			for (int i = 0; i < this.rules.size(); i++) {
				if (!this.rules.get(i).reaction().refund().condition().test(status)) {
					return false;
				}
			}
			return true;
		}

		boolean isOfConnection() {
			for (int i = 0; i < this.rules.size(); i++) {
				if (isOfConnection(this.rules.get(i))) {
					return true;
				}
			}
			return false;
		}

		// The shortest time of the rules with the same holder.
		Duration maxHold() {
			boolean connection = isOfConnection();
			Duration shortest = null;
			for (Rule rule : this.rules) {
				Duration own = rule.reaction().holding().maxHold();
				if (isOfConnection(rule) == connection && (shortest == null || own.compareTo(shortest) < 0)) {
					shortest = own;
				}
			}
			return Objects.requireNonNull(shortest);
		}

		private static boolean isOfConnection(Rule rule) {
			return rule.reaction().holding().by() == Holder.CONNECTION;
		}

	}

}
