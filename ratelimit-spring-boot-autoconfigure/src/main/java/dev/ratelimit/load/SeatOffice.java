package dev.ratelimit.load;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What all requests need to get a seat and to give it back.
 *
 * @param guard gives out the seats
 * @param routes numbers the routes
 * @param nanos the time
 */
record SeatOffice(LoadGuard guard, RouteNumbers routes, LongSupplier nanos) {

	long now() {
		return this.nanos.getAsLong();
	}

	void leave(Seat seat) {
		this.guard.leave(seat, LoadGuard.NO_SAMPLE, now());
	}

	void leave(Seat seat, @Nullable Object pattern) {
		this.guard.leave(seat, this.routes.of(pattern), now());
	}

}
