package dev.ratelimit.web;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.load.Seat;
import dev.ratelimit.web.request.GateRequest;

/**
 * The seat of a request, and what gives it back. How long the request had the seat tells
 * how busy the instance is only if the request has succeeded.
 */
final class SeatEnding extends Seat implements Ending {

	private static final int OK = 200;

	private static final int BAD_REQUEST = 400;

	private final SeatOffice office;

	private final GateRequest request;

	SeatEnding(SeatOffice office, GateRequest request, Level level, String flow, long nowNanos) {
		super(level, flow, nowNanos);
		this.office = office;
		this.request = request;
	}

	@Override
	public void free(int status) {
		if (status >= OK && status < BAD_REQUEST) {
			this.office.leave(this, this.request.servedPattern());
		}
		else {
			this.office.leave(this);
		}
	}

	@Override
	public void streams() {
		this.office.leave(this);
	}

}
