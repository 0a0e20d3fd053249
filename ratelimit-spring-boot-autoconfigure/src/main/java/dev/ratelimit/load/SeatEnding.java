package dev.ratelimit.load;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.web.GateRequest;

import org.springframework.http.HttpMethod;

/**
 * The seat of a request, and what gives it back. How long the request had the seat tells
 * how busy the instance is only if the request has succeeded.
 */
final class SeatEnding extends Seat implements Ending {

	private static final int OK = 200;

	private static final int PARTIAL_CONTENT = 206;

	private static final int NOT_MODIFIED = 304;

	private static final int BAD_REQUEST = 400;

	private final SeatOffice office;

	private final GateRequest request;

	private final boolean measured;

	SeatEnding(SeatOffice office, GateRequest request, Level level, String flow, boolean measured, long nowNanos) {
		super(level, flow, nowNanos);
		this.office = office;
		this.request = request;
		this.measured = measured;
	}

	@Override
	public void free(int status) {
		if (this.measured && isWhole(status) && !HttpMethod.HEAD.matches(this.request.method())) {
			this.office.leave(this, this.request.servedPattern());
		}
		else {
			this.office.leave(this);
		}
	}

	// Clients choose whether they get all of a response, or only what says that it has
	// not changed: how long that takes is not how long the route takes.
	private static boolean isWhole(int status) {
		return status >= OK && status < BAD_REQUEST && status != PARTIAL_CONTENT && status != NOT_MODIFIED;
	}

	@Override
	public void streams() {
		this.office.leave(this);
	}

}
