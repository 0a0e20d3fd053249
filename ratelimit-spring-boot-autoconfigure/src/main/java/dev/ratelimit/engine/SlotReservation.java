package dev.ratelimit.engine;

import dev.ratelimit.Reservation;

/**
 * Internal: a reservation whose slots can be handed over to something that holds them for
 * longer than its request, and needs less memory than the decision about it.
 */
public interface SlotReservation extends Reservation {

	/**
	 * Take the slots of a rule out of a reservation.
	 * @param reservation the reservation, which does not release them any more
	 * @param ruleId the rule
	 * @return releases them, when it is run for the first time
	 */
	static Runnable handOver(Reservation reservation, String ruleId) {
		return (reservation instanceof SlotReservation slots) ? slots.handOver(ruleId)
				: () -> reservation.release(ruleId);
	}

	/**
	 * Take the slots of a rule out of this reservation, which does not release them any
	 * more.
	 * @param ruleId the rule
	 * @return releases them; to be run once
	 */
	Runnable handOver(String ruleId);

}
