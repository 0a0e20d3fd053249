package dev.ratelimit.engine;

import dev.ratelimit.Reservation;

/**
 * Internal: a reservation whose slots can be handed over to a longer-lived holder, such
 * as a connection, without the memory of the decision.
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
	 * Take the slots of a rule out of this reservation, which no longer releases them.
	 * @param ruleId the rule
	 * @return an action that releases them; to be run once
	 */
	Runnable handOver(String ruleId);

}
