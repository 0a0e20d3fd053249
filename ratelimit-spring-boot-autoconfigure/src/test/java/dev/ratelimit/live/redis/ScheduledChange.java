package dev.ratelimit.live.redis;

/**
 * A change by a user of a schedule, and its result.
 *
 * @param instance the number of the called instance
 * @param register the changed register: a rule, a switch, or the bans of a subject
 * @param value the new value; empty for a removal
 * @param outcome the outcome
 * @param begunNanos the time of the call
 * @param endedNanos the time of the response
 */
record ScheduledChange(int instance, String register, String value, Outcome outcome, long begunNanos, long endedNanos) {

	/** The prefix of a rule, which is part of the only document. */
	static final String RULE = "rule ";

	boolean isOfDocument() {
		return this.register.startsWith(RULE);
	}

	boolean isInForceOrUnknown() {
		return this.outcome == Outcome.DONE || this.outcome == Outcome.HERE || this.outcome == Outcome.UNKNOWN;
	}

	/**
	 * The outcome of a change.
	 */
	enum Outcome {

		/** The change is made for all instances. */
		DONE,
		/**
		 * The change is made on this instance, and on the others after Redis responds.
		 */
		HERE,
		/** There was no change to make, or another user was faster. */
		REJECTED,
		/** Redis responded too late, or its reply was lost. */
		UNKNOWN

	}

}
