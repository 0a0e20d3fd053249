package dev.ratelimit.web;

import java.util.function.LongSupplier;

import dev.ratelimit.gate.Ending;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.Seat;
import dev.ratelimit.web.request.GateRequest;

/**
 * Gives the seat of a request back. How long it had the seat tells how busy the instance
 * is only if the request has succeeded.
 *
 * @param guard the guard
 * @param seat the seat
 * @param routes numbers the routes
 * @param request the request
 * @param nanos the time
 */
record SeatEnding(LoadGuard guard, Seat seat, RouteNumbers routes, GateRequest request,
		LongSupplier nanos) implements Ending {

	private static final int OK = 200;

	private static final int BAD_REQUEST = 400;

	@Override
	public void free(int status) {
		boolean sample = status >= OK && status < BAD_REQUEST;
		leave((sample) ? this.routes.of(this.request.servedPattern()) : LoadGuard.NO_SAMPLE);
	}

	@Override
	public void streams() {
		leave(LoadGuard.NO_SAMPLE);
	}

	private void leave(int route) {
		this.guard.leave(this.seat, route, this.nanos.getAsLong());
	}

}
