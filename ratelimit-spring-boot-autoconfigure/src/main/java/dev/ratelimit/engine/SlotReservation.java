package dev.ratelimit.engine;

import java.util.Set;

import dev.ratelimit.Reservation;

/**
 * Internal: a reservation of charges of a store. Its slots can be handed over to a
 * longer-lived holder, such as a connection, without the memory of the decision.
 */
public interface SlotReservation extends Reservation {

	/**
	 * Take the slots of a rule out of a reservation.
	 * @param reservation the reservation, which no longer releases them
	 * @param ruleId the rule
	 * @return an action that releases them at its first run
	 */
	static Runnable handOver(Reservation reservation, String ruleId) {
		return (reservation instanceof SlotReservation slots) ? slots.handOver(ruleId)
				: () -> reservation.release(ruleId);
	}

	/**
	 * Refund the charges of rules, except slots, in one call.
	 * @param reservation the reservation
	 * @param ruleIds the rules
	 */
	static void refund(Reservation reservation, Set<String> ruleIds) {
		if (reservation instanceof SlotReservation charges) {
			charges.refund(ruleIds);
		}
		else {
			ruleIds.forEach((ruleId) -> reservation.settle(ruleId, 0));
		}
	}

	/**
	 * Refund the charges of rules, except slots, in one call.
	 * @param ruleIds the rules
	 */
	void refund(Set<String> ruleIds);

	/**
	 * Take the slots of a rule out of this reservation, which no longer releases them.
	 * @param ruleId the rule
	 * @return an action that releases them; to be run once
	 */
	Runnable handOver(String ruleId);

}
