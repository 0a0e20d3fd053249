package dev.ratelimit.web;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Reservation;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;

/**
 * What credentials were charged that a request has presented to management: it is given
 * back unless they were wrong, since management itself is not limited. Without a status,
 * the charge stands.
 *
 * @param reservation what was charged
 */
record CredentialCharge(Reservation reservation) implements Ending {

	private static final int UNAUTHORIZED = 401;

	private static final int FORBIDDEN = 403;

	/**
	 * Have a request's charge given back at its end.
	 * @param charged how far the request has come
	 * @return how far it has come
	 */
	static RequestProgress returned(RequestProgress charged) {
		if (charged.waits()) {
			return charged.then((turn) -> CompletableFuture.completedFuture(returned(turn)));
		}
		Reservation reservation = charged.decision().reservation();
		return (charged.allowed() && reservation != Reservation.NONE)
				? charged.ending(new CredentialCharge(reservation)) : charged;
	}

	@Override
	public void free(int status) {
		// Slots are freed as for other requests.
	}

	@Override
	public void settle(int status) {
		if (status != UNAUTHORIZED && status != FORBIDDEN) {
			this.reservation.cancel();
		}
	}

}
