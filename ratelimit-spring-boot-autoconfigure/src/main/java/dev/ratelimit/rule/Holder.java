package dev.ratelimit.rule;

import java.time.Duration;

/**
 * Internal: the holder of a slot of a rule that limits concurrent requests.
 */
public enum Holder {

	/** A request, until it is completed. */
	REQUEST(Duration.ofHours(1)),

	/** The connection that a request was upgraded to, until it is closed. */
	CONNECTION(Duration.ofHours(24));

	private final Duration maxHold;

	Holder(Duration maxHold) {
		this.maxHold = maxHold;
	}

	Duration maxHold() {
		return this.maxHold;
	}

}
