package dev.ratelimit.benchmarks.openloop;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A request that was sent and has not ended yet.
 */
final class Request {

	private final Arrivals.Arrival arrival;

	private final long sentAt;

	private @Nullable Connection connection;

	private boolean ended;

	Request(Arrivals.Arrival arrival, long sentAt) {
		this.arrival = arrival;
		this.sentAt = sentAt;
	}

	Arrivals.Arrival arrival() {
		return this.arrival;
	}

	Connection connection() {
		return Objects.requireNonNull(this.connection);
	}

	void sentOn(Connection connection) {
		this.connection = connection;
	}

	boolean isEnded() {
		return this.ended;
	}

	Sample end(Outcome outcome, long at) {
		this.ended = true;
		long due = this.arrival.due();
		return new Sample(due, this.sentAt - due, this.arrival.level(), this.arrival.tenant(), outcome, at - due);
	}

}
